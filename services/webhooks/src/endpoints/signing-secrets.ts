import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { SecretBox } from '@gateway/runtime';
import type { Owner } from '#src/endpoints/endpoint.ts';

const secretBytes = 32;
const prefix = 'whsec_';

/** A new signing secret. What follows the prefix is base64, as Standard Webhooks wants it. */
export function newSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString('base64')}`;
}

/**
 * `X-Gateway-Signature`: `sha256=` and the hex HMAC-SHA256 over `{timestamp}.{raw body}`. The key is the UTF-8 bytes of
 * the whole secret, prefix included, nothing decoded.
 */
export function gatewaySignature(secret: string, timestamp: number, body: Uint8Array): string {
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return `sha256=${digest}`;
}

/**
 * One entry of `webhook-signature`: `v1,` and the base64 HMAC-SHA256 over `{id}.{timestamp}.{body}`. By the rule of
 * Standard Webhooks the key is the decoded rest of the secret.
 */
export function standardSignature(secret: string, id: string, timestamp: number, body: Uint8Array): string {
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
  const digest = createHmac('sha256', createSecretKey(key)).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return `v1,${digest}`;
}

/** The context an account's callback secret is sealed for. The claim of deliveries builds the same text in SQL. */
export function callbackSecretOwner({ environment, accountId }: Owner): string {
  return `callback ${environment} ${accountId}`;
}

export interface SealedSecrets {
  readonly id: string;
  readonly sealedSecret?: string | null;
  readonly nextSealedSecret?: string | null;
  readonly nextSecretAt?: Date | null;
}

/** The secrets that sign at a time: one, or two while the overlap of a rotation lasts. */
export function secretsInForce(
  { id, sealedSecret, nextSealedSecret, nextSecretAt }: SealedSecrets,
  secretBox: SecretBox,
  now: Date,
): { readonly secret: string; readonly nextSecret: string | undefined } {
  if (!sealedSecret) throw new Error(`endpoint ${id} has no secret of its own`);
  if (!nextSealedSecret || !nextSecretAt) return { secret: secretBox.open(sealedSecret, id), nextSecret: undefined };
  const next = secretBox.open(nextSealedSecret, id);
  if (nextSecretAt <= now) return { secret: next, nextSecret: undefined };
  return { secret: secretBox.open(sealedSecret, id), nextSecret: next };
}
