import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { cancelPayout as contract } from '@gateway/contracts/payouts';
import { turnDown } from '#src/approval/turn-down.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { findPayout } from '#src/payout/find-payout.ts';
import { toPayout } from '#src/payout/to-payout.ts';

/** Its merchant takes it back. @throws PayoutStateError for one that is not PENDING (any more) */
export async function cancelPayout(
  dependencies: Dependencies,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const pending = await findPayout(dependencies.database, request);
  const canceled = await turnDown(dependencies, pending, {
    ...{ reason: 'canceled_by_merchant', decidedBy: null, decisionReason: null },
  });
  return { payout: toPayout(canceled) };
}
