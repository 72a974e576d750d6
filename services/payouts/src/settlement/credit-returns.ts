import { type PayoutReturn, PayoutReturned } from '@gateway/contracts/payouts';
import { newId } from '@gateway/money';
import { outboxRow } from '@gateway/persistence';
import type { PayoutReturn as ReturnedPart, PayoutRow } from '#src/payout/payout-entity.ts';
import { payoutEvent } from '#src/payout/present-payout.ts';
import type { SettlementDependencies } from '#src/settlement/dependencies.ts';
import { requireApplied, returnCommand } from '#src/settlement/ledger-commands.ts';
import { ledgerTimeoutMs } from '#src/settlement/timing.ts';

/**
 * Puts what came back into the balance, part by part, each said once.
 *
 * @returns null when somebody else is at it
 */
export async function creditReturns(
  { payouts, askLedger, now }: SettlementDependencies,
  payout: PayoutRow,
): Promise<PayoutRow | null> {
  let current = payout;
  for (const part of payout.returns) {
    if (part.credited || part.notBooked) continue;
    requireApplied(await askLedger(returnCommand(current, part), ledgerTimeoutMs));
    const credited = { ...part, id: part.id ?? newId('payoutReturn', now().getTime()), credited: true };
    const returns = current.returns.map((each) => (each.returnId === part.returnId ? credited : each));
    const dueAt = returns.every((each) => each.credited || each.notBooked) ? null : current.dueAt;
    const changes = { returns, returned: current.returned + part.amount, dueAt };
    const moved: PayoutRow | null = await payouts.move(current, 'returned', changes, (after) =>
      outboxRow(PayoutReturned, { ...payoutEvent(after, now()), return: toReturn(after, credited, now()) }),
    );
    if (!moved) return null;
    current = moved;
  }
  return current;
}

function toReturn({ currency }: PayoutRow, part: ReturnedPart & { readonly id: string }, at: Date): PayoutReturn {
  const { id, amount, returnId, approvalId, returnedAt = at.toISOString() } = part;
  return { id, amount, currency, e2eId: approvalId === undefined ? returnId : null, returnedAt };
}
