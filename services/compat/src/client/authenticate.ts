import { z } from 'zod';
import { authenticateKey } from '@gateway/contracts/accounts';
import { callRpc } from '@gateway/messaging';
import { secretDigestOf } from '@gateway/runtime';
import type { Facade } from '#src/facade.ts';
import { admit, keyAllowlistRule, type Arrival } from '#src/integrations/admit.ts';
import { issueAccessToken } from '#src/tokens/issue-access-token.ts';

const credential = z
  .string('is required and must be text')
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII');

export const credentialsSchema = z.object(
  {
    /** The public key. */
    clientId: credential,
    /** The secret key. */
    password: credential,
  },
  'the body must be a JSON object',
);

export interface Authentication {
  readonly clientId: string;
  /** Name of the account. */
  readonly name: string;
  /** For `Authorization: Bearer` on the other calls. */
  readonly token: string;
}

/**
 * Exchanges a key pair for a token of 8 hours (spec 4.1).
 *
 * @throws DomainError AUTH_INVALID for an unknown, wrong or revoked pair; AUTH_IP_BLOCKED from an address it is
 *   not used from
 */
export async function authenticate(
  { bus, database, keys, rpcTimeoutMs, now }: Facade,
  { clientId, password }: z.infer<typeof credentialsSchema>,
  arrival: Arrival,
): Promise<Authentication> {
  const request = {
    ...{ publicKey: clientId, secretDigest: secretDigestOf(password).toString('hex'), address: arrival.address },
    outsideAllowlist: keyAllowlistRule(arrival),
  };
  const caller = await callRpc(bus, authenticateKey, request, { timeoutMs: rpcTimeoutMs });
  await admit(database, caller, arrival);
  const token = await issueAccessToken(keys, caller.publicKey, now());
  return { clientId: caller.publicKey, name: caller.account.name, token };
}
