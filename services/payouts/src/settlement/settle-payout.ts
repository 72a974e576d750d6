import { PayoutPaid } from '@gateway/contracts/payouts';
import { outboxRow } from '@gateway/persistence';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { payoutEvent } from '#src/payout/present-payout.ts';
import type { SettlementDependencies } from '#src/settlement/dependencies.ts';
import { requireApplied, settleCommand } from '#src/settlement/ledger-commands.ts';
import { atItsEnd } from '#src/settlement/plan-recheck.ts';
import { ledgerTimeoutMs } from '#src/settlement/timing.ts';

/**
 * Has the ledger settle what has left through the provider, then publishes PAID.
 *
 * @returns null when another process has finished it
 */
export async function settlePayout(
  { payouts, askLedger, now }: SettlementDependencies,
  payout: PayoutRow,
): Promise<PayoutRow | null> {
  requireApplied(await askLedger(settleCommand(payout), ledgerTimeoutMs));
  return await payouts.move(payout, 'settled', atItsEnd(payout, 'PAID', now()), (moved) =>
    outboxRow(PayoutPaid, payoutEvent(moved, now())),
  );
}
