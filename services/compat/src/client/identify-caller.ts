import { getCaller, type Caller } from '@gateway/contracts/accounts';
import { DomainError } from '@gateway/contracts/errors';
import { callRpc } from '@gateway/messaging';
import type { Facade } from '#src/facade.ts';
import { admit, keyAllowlistRule, type Arrival } from '#src/integrations/admit.ts';
import { verifyAccessToken } from '#src/tokens/verify-access-token.ts';

/**
 * Who calls, by the token of `authenticate`. The key behind it is looked up each time: revoking a key ends its tokens
 * at once (api.md 4).
 *
 * @throws DomainError AUTH_REQUIRED without a token, AUTH_INVALID when token or key is no longer in force,
 *   AUTH_IP_BLOCKED from an address the key or the integration is not used from
 */
export async function identifyCaller(
  { bus, database, keys, rpcTimeoutMs, now }: Facade,
  authorization: string | undefined,
  arrival: Arrival,
): Promise<Caller> {
  const [, token] = /^bearer +([^\s]+) *$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) throw new DomainError('AUTH_REQUIRED', 'send the token as Authorization: Bearer');
  const publicKey = await verifyAccessToken(keys, token, now());
  const request = { publicKey, address: arrival.address, outsideAllowlist: keyAllowlistRule(arrival) };
  const caller = await callRpc(bus, getCaller, request, { timeoutMs: rpcTimeoutMs });
  await admit(database, caller, arrival);
  return caller;
}
