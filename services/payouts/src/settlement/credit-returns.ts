import { type PayoutReturn, PayoutReturned } from '@gateway/contracts/payouts';
import { newId } from '@gateway/money';
import { outboxRow } from '@gateway/persistence';
import type { Asked, PayoutReturn as ReturnAtProvider } from '@gateway/providers';
import { needAttention } from '#src/payout/attention.ts';
import type { PayoutDependencies } from '#src/payout/dependencies.ts';
import type { PayoutReturn as ReturnedPart, PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { payoutEvent } from '#src/payout/present-payout.ts';
import type { SettlementDependencies } from '#src/settlement/dependencies.ts';
import { requireApplied, returnCommand } from '#src/settlement/ledger-commands.ts';
import { after, ledgerTimeoutMs, settlementLeaseMs } from '#src/settlement/timing.ts';

/**
 * Puts what came back into the balance, part by part, each published once.
 *
 * @returns null when another process is at it
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
    const moved: PayoutRow | null = await payouts.move(current, 'returned', changes, (reached) =>
      outboxRow(PayoutReturned, { ...payoutEvent(reached, now()), return: toReturn(reached, credited, now()) }),
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

/** Parts that are not on record yet. One that cannot be booked is on record too, for operators. */
export function addReturns(
  { now, logger }: Pick<PayoutDependencies, 'now' | 'logger'>,
  payout: PayoutRow,
  found: readonly Asked<ReturnAtProvider>[],
): Pick<PayoutChanges, 'returns' | 'dueAt' | 'attentionAt' | 'attentionReason'> {
  const at = now();
  const returns: ReturnedPart[] = [...payout.returns];
  for (const { returnId, money, at: returnedAt } of found) {
    if (returns.some((part) => part.returnId === returnId)) continue;
    const fault = faultOf({ ...payout, returns }, money);
    const part = { id: newId('payoutReturn', at.getTime()), returnId, amount: money.amount, credited: false };
    returns.push({ ...part, returnedAt: returnedAt.toISOString(), ...(fault ? { notBooked: fault } : {}) });
    if (fault) logger.error({ payoutId: payout.id, returnId, money, fault }, 'a return cannot be booked');
  }
  const added = returns.slice(payout.returns.length);
  if (added.length === 0) return {};
  const isFaulty = added.some(({ notBooked }) => notBooked !== undefined);
  const isToBook = added.some(({ notBooked }) => notBooked === undefined);
  return {
    returns,
    ...(isToBook ? { dueAt: after(at, settlementLeaseMs) } : {}),
    ...(isFaulty ? needAttention(payout, 'return_not_booked', at) : {}),
  };
}

function faultOf(payout: PayoutRow, { currency, amount }: ReturnAtProvider['money']): ReturnedPart['notBooked'] {
  if (currency !== payout.currency) return 'other_currency';
  return amount > payout.amount - returnedAmount(payout) ? 'exceeds_payout' : undefined;
}

/** What has come back so far, whether it is in the balance yet or not; minor units. */
export function returnedAmount({ returns }: Pick<PayoutRow, 'returns'>): number {
  return returns.reduce((sum, part) => sum + (part.notBooked ? 0 : part.amount), 0);
}
