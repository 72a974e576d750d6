import { PayoutPaid } from '@gateway/contracts';
import { outboxRow } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { after, ledgerTimeoutMs, redebitDistanceMs } from '#src/execution/timing.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { payoutEvent } from '#src/payout/to-payout.ts';
import { redebitCommand, resettleCommand } from '#src/reservation/ledger-commands.ts';
import { cameTooLate, requireApplied } from '#src/reservation/require-applied.ts';

/**
 * The rail paid what had been given back: takes amount and fee again and says PAID. While the balance does not cover it,
 * it is tried again later and operators are told; the money has left all the same.
 *
 * @returns null when somebody else has finished it
 */
export async function redebitPayout(dependencies: Dependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  const { payouts, askLedger, now, logger } = dependencies;
  const debit = await askLedger(redebitCommand(payout), ledgerTimeoutMs);
  if (debit.outcome === 'refused' && debit.refusal === 'insufficient_funds') {
    logger.error({ payoutId: payout.id }, 'the balance does not cover a payout that was paid after it had failed');
    const at = now();
    return await payouts.move(payout, 'redebitRefused', {
      redebits: payout.redebits + 1,
      attentionAt: payout.attentionAt ?? at,
      dueAt: after(at, redebitDistanceMs),
    });
  }
  requireApplied(debit);
  const settlement = await askLedger(resettleCommand(payout), ledgerTimeoutMs);
  // What is debited again is never reversed: only a settlement from before it failed can have come first.
  if (!cameTooLate(settlement)) requireApplied(settlement);
  return await payouts.move(payout, 'redebited', { dueAt: null }, (moved) =>
    outboxRow(PayoutPaid, payoutEvent(moved, now())),
  );
}
