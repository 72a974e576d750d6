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

/**
 * For a payment that follows from the record alone: the ledger settles before the record says so, which saves a write. A crash in
 * between leaves it PROCESSING, and the process that resumes it finds the same payment and sends the ledger the same command. Should an operator
 * give the payout up at the same time, the ledger decides which of the two came first.
 *
 * @returns null when another process has changed it
 */
export async function settleFromRecord(
  { payouts, askLedger, now }: SettlementDependencies,
  payout: PayoutRow,
  payment: Required<Pick<PayoutChanges, 'providerRef' | 'e2eId' | 'paidAt'>>,
): Promise<PayoutRow | null> {
  const settlement = await askLedger(settleCommand(payout), ledgerTimeoutMs);
  // A process that gave it up has changed the record; where none has, a refusal is a defect that becomes visible as SETTLING.
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
