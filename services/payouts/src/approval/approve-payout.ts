import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { approvePayout as contract } from '@gateway/contracts/payouts';
import type { Dependencies } from '#src/dependencies.ts';
import { PayoutStateError } from '#src/errors.ts';
import { findPayoutById } from '#src/payout/find-payout.ts';
import { toOperatorPayout } from '#src/payout/to-operator-payout.ts';

/**
 * Lets a payout go its way; it sets out at once. Of those who approve, refuse and cancel at the same time, one wins.
 *
 * @throws PayoutStateError for one that is not PENDING (any more)
 */
export async function approvePayout(
  { payouts, now }: Dependencies,
  { id, operator }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const pending = await findPayoutById(payouts, id);
  if (pending.state !== 'PENDING') throw new PayoutStateError(pending, 'approved');
  const at = now();
  const approved = await payouts.move(pending, 'approved', { decidedBy: operator, sentAt: at, dueAt: at });
  if (!approved) throw new PayoutStateError(await findPayoutById(payouts, id), 'approved');
  return { before: toOperatorPayout(pending), payout: toOperatorPayout(approved) };
}
