import { randomBytes } from 'node:crypto';
import { UsageError } from '../faults/errors.ts';
import { connectionOf, type ConnectionFlags } from './connection.ts';
import type { Variables } from './folders.ts';
import { keepListenSecret } from './profiles.ts';

const secretBytes = 32;

/**
 * What `listen` signs with: `GATEWAY_WEBHOOK_SECRET`, else the secret of the key in use, which is made once and kept beside
 * the profiles. No call is made.
 *
 * @throws UsageError when no key is set up either
 */
export function signingSecretOf(flags: ConnectionFlags, variables: Variables): string {
  const given = variables['GATEWAY_WEBHOOK_SECRET'];
  if (given !== undefined && given !== '') return checkedSecret(given);
  const { public_key: publicKey } = connectionOf(flags, variables);
  return keepListenSecret(variables, publicKey, () => `whsec_${randomBytes(secretBytes).toString('base64')}`);
}

/** @throws UsageError that does not show it */
export function checkedSecret(secret: string): string {
  if (!/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) throw new UsageError('the secret is no whsec_…');
  return secret;
}
