import { PayoutPaid } from '@gateway/contracts/payouts';
import { outboxRow } from '@gateway/persistence';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { payoutEvent } from '#src/payout/present-payout.ts';
import type { SettlementDependencies } from '#src/settlement/dependencies.ts';
import { isDecidedOtherwise, requireApplied, settleCommand } from '#src/settlement/ledger-commands.ts';
import { atItsEnd } from '#src/settlement/plan-recheck.ts';
import { after, ledgerTimeoutMs } from '#src/settlement/timing.ts';

/**
 * Tells the ledger that the money has left through the provider, then says PAID.
 *
 * @returns null when somebody else has finished it
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

/**
 * For a payment that follows from the record alone: the ledger is told before the record, which saves a write. A crash in
 * between leaves it PROCESSING, and whoever goes on finds the same payment and tells the ledger the same. Should somebody
 * give the payout up at the same time, the ledger decides which of the two came first.
 *
 * @returns null when somebody else has changed it
 */
export async function settleFromRecord(
  { payouts, askLedger, now }: SettlementDependencies,
  payout: PayoutRow,
  payment: Required<Pick<PayoutChanges, 'providerRef' | 'e2eId' | 'paidAt'>>,
): Promise<PayoutRow | null> {
  const settlement = await askLedger(settleCommand(payout), ledgerTimeoutMs);
  // Whoever gave it up has changed the record; if nobody has, a refusal is a defect that becomes visible as SETTLING.
  if (isDecidedOtherwise(settlement)) {
    return await payouts.move(payout, 'confirmed', { ...payment, dueAt: after(now(), 2 * ledgerTimeoutMs) });
  }
  requireApplied(settlement);
  return await payouts.move(
    payout,
    'confirmedAndSettled',
    { ...payment, ...atItsEnd(payout, 'PAID', now()) },
    (moved) => outboxRow(PayoutPaid, payoutEvent(moved, now())),
  );
}
