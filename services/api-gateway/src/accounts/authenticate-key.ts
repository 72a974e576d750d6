import type { Caller, PresentedCaller } from '@gateway/contracts/accounts';
import { DomainError } from '@gateway/contracts/errors';
import { equalDigests } from '@gateway/runtime';
import type { IpAllowlist } from '#src/accounts/ip-allowlist.ts';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';

/**
 * Compared against when there is no key. What is left between an unknown key and a wrong secret is a query the first time,
 * when the key of the wrong secret is in memory: it shows that the key exists, which 128 random bits keep from
 * being guessed.
 */
const noSecretHash = Buffer.alloc(32);

interface PresentedKey {
  readonly publicKey: string;
  /** SHA-256 of the secret key. */
  readonly secretDigest: Buffer;
  /** Where the call comes from; unknown is outside every allowlist. */
  readonly address?: string | undefined;
  /** What becomes of a caller outside the allowlist; refused by default. */
  readonly outsideAllowlist?: 'refused' | 'told';
}

/**
 * Who calls, by key pair (spec 5.1), from where the key may be used (spec 5.5).
 * @throws DomainError AUTH_INVALID: unknown key, wrong secret and revoked key are answered in the same words;
 *   AUTH_IP_BLOCKED, only with the right secret
 */
export async function authenticateKeyPair(
  directory: CallerDirectory,
  { publicKey, secretDigest, ...arrival }: PresentedKey,
): Promise<PresentedCaller> {
  const key = await directory.find(publicKey);
  const matches = equalDigests(secretDigest, key?.secretHash ?? noSecretHash);
  if (!key || !matches) throw keyRefused();
  return presented(key, arrival);
}

/**
 * Who calls, when the key is in memory, its secret is right and the address is on its allowlist: the ordinary request waits
 * for nothing. Undefined otherwise, which leaves the refusal, or the question to the database, to `authenticateKeyPair`.
 */
export function authenticateRemembered(
  directory: CallerDirectory,
  { publicKey, secretDigest, address }: Omit<PresentedKey, 'outsideAllowlist'>,
): PresentedCaller | undefined {
  const key = directory.remembered(publicKey);
  if (!key || !equalDigests(secretDigest, key.secretHash) || !key.allowlist.allows(address)) return undefined;
  return { ...key.caller, outsideAllowlist: false };
}

/** The caller behind a key that is still in force, for tokens that were issued against it. */
export async function callerOf(
  directory: CallerDirectory,
  { publicKey, ...arrival }: Omit<PresentedKey, 'secretDigest'>,
): Promise<PresentedCaller> {
  const key = await directory.find(publicKey);
  if (!key) throw keyRefused();
  return presented(key, arrival);
}

/** Whose key it is, for a service that carries out what the connector has let in: address and rate were checked then. */
export async function holderOf(directory: CallerDirectory, publicKey: string): Promise<Caller> {
  const key = await directory.find(publicKey);
  if (!key) throw keyRefused();
  return key.caller;
}

function presented(
  { caller, allowlist }: { readonly caller: Caller; readonly allowlist: IpAllowlist },
  { address, outsideAllowlist = 'refused' }: Pick<PresentedKey, 'address' | 'outsideAllowlist'>,
): PresentedCaller {
  if (outsideAllowlist === 'refused') allowlist.check(address);
  return { ...caller, outsideAllowlist: !allowlist.allows(address) };
}

function keyRefused(): DomainError {
  return new DomainError(
    'AUTH_INVALID',
    'the API key or its secret is not valid: check that both are of one pair, and that it is not revoked',
  );
}
