import { newId } from '@gateway/contracts';
import type { Dependencies } from '#src/dependencies.ts';
import { after, ledgerTimeoutMs } from '#src/execution/timing.ts';
import type { PayoutReturn, PayoutRow } from '#src/payout/payout-entity.ts';

/**
 * The receiving bank sent a part of a PAID payout back. The same return twice is one return.
 *
 * @returns the payout with the return on record; null when somebody else is changing it
 * @throws Error when more would come back than was paid: an operator has to look at it
 */
export async function noteReturn(
  { payouts, now }: Dependencies,
  payout: PayoutRow,
  { returnId, amount, returnedAt }: Required<Pick<PayoutReturn, 'returnId' | 'amount' | 'returnedAt'>>,
): Promise<PayoutRow | null> {
  if (payout.returns.some((part) => part.returnId === returnId)) return payout;
  if (amount > payout.amount - noted(payout)) {
    throw new Error(`return ${returnId} of ${amount} exceeds what is left of payout ${payout.id}`);
  }
  const id = newId('payoutReturn', now().getTime());
  const returns = [...payout.returns, { id, returnId, amount, returnedAt, credited: false }];
  return await payouts.move(payout, 'returnNoticed', { returns, dueAt: after(now(), 2 * ledgerTimeoutMs) });
}

/** What has come back so far, whether it is in the balance yet or not; minor units. */
export function noted({ returns }: Pick<PayoutRow, 'returns'>): number {
  return returns.reduce((sum, part) => sum + part.amount, 0);
}
