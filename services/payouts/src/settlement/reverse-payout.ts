import { PayoutCanceled, PayoutFailed } from '@gateway/contracts';
import { outboxRow } from '@gateway/service-kit';
import { isTurnedDown } from '#src/approval/turned-down.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { ledgerTimeoutMs } from '#src/execution/timing.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { payoutEvent } from '#src/payout/to-payout.ts';
import { reverseCommand } from '#src/reservation/ledger-commands.ts';
import { requireApplied } from '#src/reservation/require-applied.ts';

/**
 * Gives amount and fee back, then says FAILED or REJECTED, in that order: whoever sees it finds the balance.
 *
 * @returns null when somebody else has finished it
 */
export async function reversePayout(
  { payouts, askLedger, now }: Dependencies,
  payout: PayoutRow,
): Promise<PayoutRow | null> {
  requireApplied(await askLedger(reverseCommand(payout), ledgerTimeoutMs));
  const move = payout.reversal === 'REJECTED' ? 'reversedRejected' : 'reversedFailed';
  const event = isTurnedDown(payout) ? PayoutCanceled : PayoutFailed;
  return await payouts.move(payout, move, { dueAt: null }, (moved) => outboxRow(event, payoutEvent(moved, now())));
}

/** The end is known and recorded; should the ledger not answer now, the money goes back a little later. */
export async function reverseIfAnswered(dependencies: Dependencies, ended: PayoutRow): Promise<PayoutRow | null> {
  try {
    return await reversePayout(dependencies, ended);
  } catch (error) {
    dependencies.logger.warn({ err: error, payoutId: ended.id }, 'reversal has to wait');
    return ended;
  }
}
