import { PayoutCanceled, PayoutFailed } from '@gateway/contracts/payouts';
import { outboxRow } from '@gateway/persistence';
import { isRejectedByPeople } from '#src/payout/failure-reasons.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { payoutEvent } from '#src/payout/present-payout.ts';
import type { SettlementDependencies } from '#src/settlement/dependencies.ts';
import { requireApplied, reverseCommand } from '#src/settlement/ledger-commands.ts';
import { atItsEnd } from '#src/settlement/plan-recheck.ts';
import { ledgerTimeoutMs } from '#src/settlement/timing.ts';

/**
 * Gives amount and fee back, then publishes FAILED or REJECTED, in that order: a reader who sees it finds the balance.
 *
 * @returns null when another process has finished it
 */
export async function reversePayout(
  { payouts, askLedger, now }: SettlementDependencies,
  payout: PayoutRow,
): Promise<PayoutRow | null> {
  requireApplied(await askLedger(reverseCommand(payout), ledgerTimeoutMs));
  const isRejected = payout.reversal === 'REJECTED';
  const move = isRejected ? 'reversedRejected' : 'reversedFailed';
  const end = atItsEnd(payout, isRejected ? 'REJECTED' : 'FAILED', now());
  const event = isRejectedByPeople(payout) ? PayoutCanceled : PayoutFailed;
  return await payouts.move(payout, move, end, (moved) => outboxRow(event, payoutEvent(moved, now())));
}

/** The end is known and recorded; should the ledger not answer now, the money goes back a little later. */
export async function reverseIfAnswered(
  dependencies: SettlementDependencies,
  ended: PayoutRow,
): Promise<PayoutRow | null> {
  try {
    return await reversePayout(dependencies, ended);
  } catch (error) {
    dependencies.logger.warn({ err: error, payoutId: ended.id }, 'reversal has to wait');
    return ended;
  }
}
