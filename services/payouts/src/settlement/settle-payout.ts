import { PayoutPaid } from '@gateway/contracts';
import { outboxRow } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { ledgerTimeoutMs } from '#src/execution/timing.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { payoutEvent } from '#src/payout/to-payout.ts';
import { settleCommand } from '#src/reservation/ledger-commands.ts';
import { requireApplied } from '#src/reservation/require-applied.ts';

/**
 * Tells the ledger that the money has left through the provider, then says PAID.
 *
 * @returns null when somebody else has finished it
 */
export async function settlePayout(
  { payouts, askLedger, now }: Dependencies,
  payout: PayoutRow,
): Promise<PayoutRow | null> {
  requireApplied(await askLedger(settleCommand(payout), ledgerTimeoutMs));
  return await payouts.move(payout, 'settled', { dueAt: null }, (moved) =>
    outboxRow(PayoutPaid, payoutEvent(moved, now())),
  );
}
