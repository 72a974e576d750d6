import type { Dependencies } from '#src/dependencies.ts';
import { ledgerTimeoutMs } from '#src/execution/timing.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { requireApplied } from '#src/reservation/require-applied.ts';
import { debitCommand, reverseCommand } from '#src/reservation/ledger-commands.ts';

/** Why a reservation that was given back is REJECTED. */
export const abandoned = {
  reversal: 'REJECTED',
  failureReason: 'creation_abandoned',
  failureMessage: 'The call that asked for the payout was not answered in time; amount and fee went back.',
} as const;

/**
 * Undoes a reservation whose caller was answered 503, or died without an answer: "nothing was created" has to come true
 * (api.md 1). The debit is asked for once more, so that it is decided: reversing what is still under way would leave a
 * debit that nothing undoes. What was debited and given back is in the merchant's statement, so its record stays, without
 * the external_id.
 */
export async function releaseFunds(dependencies: Dependencies, payout: PayoutRow): Promise<void> {
  const { payouts, askLedger, now, logger } = dependencies;
  const releasing =
    payout.state === 'RESERVING' ? await payouts.move(payout, 'abandoned', { dueAt: payout.dueAt ?? now() }) : payout;
  if (!releasing) return;
  const debit = await askLedger(debitCommand(releasing), ledgerTimeoutMs);
  if (debit.outcome === 'refused') return void (await payouts.remove(releasing));
  requireApplied(debit);
  requireApplied(await askLedger(reverseCommand(releasing), ledgerTimeoutMs));
  const released = await payouts.move(releasing, 'givenBack', { ...abandoned, releasedAt: now(), dueAt: null });
  if (released) logger.info({ payoutId: payout.id }, 'abandoned reservation released');
}
