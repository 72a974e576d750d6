import { randomBytes } from 'node:crypto';

const secretBytes = 32;
const prefix = 'whsec_';

/** A new signing secret. What follows the prefix is base64, as Standard Webhooks wants it. */
export function newSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString('base64')}`;
}

/** The HMAC key of `webhook-signature`: by the Standard Webhooks rule, the decoded rest of the secret. */
export function standardKeyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
}
