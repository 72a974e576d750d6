import { PayoutReturned } from '@gateway/contracts';
import { outboxRow } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { ledgerTimeoutMs } from '#src/execution/timing.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { payoutEvent } from '#src/payout/to-payout.ts';
import { returnCommand } from '#src/reservation/ledger-commands.ts';
import { requireApplied } from '#src/reservation/require-applied.ts';

/**
 * Puts what came back into the balance, part by part, each said once.
 *
 * @returns null when somebody else is at it
 */
export async function creditReturns(
  { payouts, askLedger, now }: Dependencies,
  payout: PayoutRow,
): Promise<PayoutRow | null> {
  let current = payout;
  for (const part of payout.returns) {
    if (part.credited) continue;
    requireApplied(await askLedger(returnCommand(current, part), ledgerTimeoutMs));
    const returns = current.returns.map((each) =>
      each.returnId === part.returnId ? { ...each, credited: true } : each,
    );
    const dueAt = returns.every(({ credited }) => credited) ? null : current.dueAt;
    const changes = { returns, returned: current.returned + part.amount, dueAt };
    const moved: PayoutRow | null = await payouts.move(current, 'returned', changes, (credited) =>
      outboxRow(PayoutReturned, payoutEvent(credited, now())),
    );
    if (!moved) return null;
    current = moved;
  }
  return current;
}
