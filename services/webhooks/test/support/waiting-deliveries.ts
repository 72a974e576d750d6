import { backlogRpc } from '@gateway/contracts/messages';
import { type Askable, callRpc } from '@gateway/messaging';
import { newMerchant } from './events.ts';

/** As operators are shown it, of all merchants of the environment. */
export async function waitingDeliveries(bus: Askable): Promise<number> {
  const { backlog } = await callRpc(bus, backlogRpc('webhooks'), {});
  const { environment } = newMerchant();
  return backlog.find((each) => each.kind === 'delivery' && each.environment === environment)!.count;
}
