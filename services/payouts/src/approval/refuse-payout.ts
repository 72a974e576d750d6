import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { refusePayout as contract } from '@gateway/contracts/payouts';
import { turnDown } from '#src/approval/turn-down.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { findPayoutById } from '#src/payout/find-payout.ts';
import { toOperatorPayout } from '#src/payout/to-operator-payout.ts';

/** An operator says no. @throws PayoutStateError for one that is not PENDING (any more) */
export async function refusePayout(
  dependencies: Dependencies,
  { id, operator, reason = null }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const pending = await findPayoutById(dependencies.payouts, id);
  const decision = { decidedBy: operator, decisionReason: reason };
  const refused = await turnDown(dependencies, pending, { reason: 'refused_by_operator', ...decision });
  return { before: toOperatorPayout(pending), payout: toOperatorPayout(refused) };
}
