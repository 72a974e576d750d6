import type { Caller } from '@gateway/contracts/accounts';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import type { createConnectorPayout as contract } from '@gateway/contracts/payouts';
import type { RpcCall } from '@gateway/messaging';
import { createPayout } from '#src/creation/create-payout.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

export interface ConnectorDependencies extends StepsDependencies {
  /** Whose key it is, as the gateway answers now; throws AUTH_INVALID, and SERVICE_UNAVAILABLE when it does not answer. */
  readonly holderOf: (publicKey: string, timeoutMs: number) => Promise<Caller>;
}

/**
 * A payout the connector asks for. Whose it is, and what limits and approval the account has, is what the gateway says of
 * the key: whoever can ask in the connector's name cannot choose them. Half of the time is kept for the payout itself.
 */
export async function createConnectorPayout(
  dependencies: ConnectorDependencies,
  { publicKey, ...wanted }: PayloadOf<{ payload: typeof contract.request }>,
  call: RpcCall,
): Promise<ReplyOf<typeof contract>> {
  const askedAt = performance.now();
  const { environment, account, apiVersion } = await dependencies.holderOf(publicKey, call.timeoutMs / 2);
  const timeoutMs = call.timeoutMs - (performance.now() - askedAt);
  const request = { ...wanted, environment, account, apiVersion };
  return await createPayout(dependencies, request, { signal: call.signal, timeoutMs });
}
