import type { createConnectorDeposit as contract } from '@gateway/contracts/deposits';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import type { RpcCall } from '@gateway/messaging';
import { createDeposit } from '#src/charge/create-deposit.ts';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';

/**
 * A deposit the connector asks for. Whose it is, and what fees and retention the account has, is what the gateway says of
 * the key: whoever can ask in the connector's name cannot choose them.
 */
export async function createConnectorDeposit(
  dependencies: ChargeDependencies,
  { publicKey, ...wanted }: PayloadOf<{ payload: typeof contract.request }>,
  call: RpcCall,
): Promise<ReplyOf<typeof contract>> {
  const { environment, account, apiVersion } = await dependencies.holderOf(publicKey, call.timeoutMs / 2);
  return await createDeposit(dependencies, { ...wanted, environment, account, apiVersion }, call);
}
