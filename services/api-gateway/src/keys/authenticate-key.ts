import { timingSafeEqual } from 'node:crypto';
import { DomainError, type Caller } from '@gateway/contracts';
import type { CallerDirectory } from '#src/keys/caller-directory.ts';
import { secretHashOf } from '#src/keys/key-pair.ts';

/** Compared against when there is no key, so that an unknown key costs what a wrong secret costs. */
const noSecretHash = Buffer.alloc(32);

interface PresentedKey {
  readonly publicKey: string;
  readonly secretKey: string;
  /** Where the call comes from; unknown is outside every allowlist. */
  readonly address?: string | undefined;
}

/**
 * Who calls, by key pair (spec 5.1), from where the key may be used (spec 5.5).
 * @throws DomainError AUTH_INVALID: unknown key, wrong secret and revoked key are told in the same words;
 *   AUTH_IP_BLOCKED, only to whoever has the secret
 */
export async function authenticateKeyPair(
  directory: CallerDirectory,
  { publicKey, secretKey, address }: PresentedKey,
): Promise<Caller> {
  const key = await directory.find(publicKey);
  const matches = timingSafeEqual(secretHashOf(secretKey), key?.secretHash ?? noSecretHash);
  if (!key || !matches) throw keyRefused();
  key.allowlist.check(address);
  return key.caller;
}

/** The caller behind a key that is still in force, for tokens that were issued against it. */
export async function callerOf(
  directory: CallerDirectory,
  { publicKey, address }: Omit<PresentedKey, 'secretKey'>,
): Promise<Caller> {
  const key = await directory.find(publicKey);
  if (!key) throw keyRefused();
  key.allowlist.check(address);
  return key.caller;
}

function keyRefused(): DomainError {
  return new DomainError('AUTH_INVALID', 'the API key or its secret is not valid');
}
