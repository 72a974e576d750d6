import { turnedDown } from '#src/approval/turned-down.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { PayoutStateError } from '#src/errors.ts';
import { after, ledgerTimeoutMs } from '#src/execution/timing.ts';
import { findPayoutById } from '#src/payout/find-payout.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { reverseIfAnswered } from '#src/settlement/reverse-payout.ts';

interface Refusal extends Pick<PayoutRow, 'decidedBy' | 'decisionReason'> {
  readonly reason: keyof typeof turnedDown;
}

/**
 * Ends a payout that waits for approval: REJECTED once amount and fee are back. Should the ledger not answer now, that
 * is a little later.
 *
 * @throws PayoutStateError for one that is not PENDING (any more)
 */
export async function turnDown(
  dependencies: Dependencies,
  payout: PayoutRow,
  { reason, ...decision }: Refusal,
): Promise<PayoutRow> {
  const { payouts, now } = dependencies;
  if (payout.state !== 'PENDING') throw new PayoutStateError(payout, 'canceled');
  const ended = await payouts.move(payout, 'turnedDown', {
    reversal: 'REJECTED',
    failureReason: reason,
    failureMessage: turnedDown[reason],
    ...decision,
    dueAt: after(now(), 2 * ledgerTimeoutMs),
  });
  if (!ended) throw new PayoutStateError(await findPayoutById(payouts, payout.id), 'canceled');
  return (await reverseIfAnswered(dependencies, ended)) ?? (await findPayoutById(payouts, payout.id));
}
