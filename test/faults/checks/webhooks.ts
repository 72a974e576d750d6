import type { ReceivedWebhook } from '../../support/webhook-receiver.ts';
import type { Json } from '../../support/merchant-client.ts';
import type { Merchant } from '../load/merchant.ts';
import type { BankBooks } from '../load/simulated-bank.ts';
import { isWhollyRefunded } from './records.ts';

/** What has been delivered, by event and record, each part of a payout that came back by its own id; the connector's by its payment. */
export function deliveredOnes(received: readonly ReceivedWebhook[]): Map<string, number> {
  const delivered = new Map<string, number>();
  for (const { body } of received) {
    const part = body.data?.return?.id === undefined ? '' : ` ${body.data.return.id}`;
    const what =
      typeof body.event === 'string' ? `${body.event} ${body.data.id}${part}` : `${body.status} ${body.paymentId}`;
    delivered.set(what, (delivered.get(what) ?? 0) + 1);
  }
  return delivered;
}

/** Whatever was answered and came true was delivered, each step at least once. */
export function webhookProblems(
  { book }: Merchant,
  delivered: ReadonlyMap<string, number>,
  inFlight: ReadonlySet<string>,
  givenBack: ReadonlySet<string>,
  { disputes, bank }: { readonly disputes: readonly Json[]; readonly bank: BankBooks },
): string[] {
  const problems = returnProblems(delivered, bank, book);
  const expected: string[] = [];
  for (const deposit of book.deposits.values()) {
    expected.push(`deposit.pending ${deposit.id}`);
    if (!deposit.isPaid) continue;
    expected.push(`deposit.paid ${deposit.id}`);
    if (deposit.environment === 'test') expected.push(`CONFIRMED ${deposit.id}`);
    if (isWhollyRefunded(book.refunds.values(), deposit)) expected.push(`deposit.refunded ${deposit.id}`);
  }
  for (const { id, environment } of book.payouts.values()) {
    if (givenBack.has(id)) continue;
    expected.push(`payout.processing ${id}`);
    if (inFlight.has(id)) continue;
    expected.push(`payout.paid ${id}`);
    if (environment === 'test') expected.push(`CONFIRMED ${id}`);
  }
  for (const { id, deposit_id: depositId } of disputes) {
    const contested = book.contested.get(depositId);
    if (contested) expected.push(`med.opened ${id}`, `med.${contested.result === 'ACCEPTED' ? 'lost' : 'won'} ${id}`);
  }
  for (const { id } of book.refunds.values()) expected.push(`refund.done ${id}`);
  for (const { id } of book.conversions.values()) expected.push(`conversion.completed ${id}`);
  const missing = expected.filter((what) => !delivered.has(what));
  return [...problems, ...missing.map((what) => `${what} was never delivered`)];
}

/** Each part that came back has an event of its own. */
function returnProblems(
  delivered: ReadonlyMap<string, number>,
  { transfers }: BankBooks,
  book: Merchant['book'],
): string[] {
  return transfers.flatMap(({ reference, returns }) => {
    const id = `pyt_${reference}`;
    if (!book.payouts.has(id)) return [];
    const received = [...delivered.keys()].filter((what) => what.startsWith(`payout.returned ${id} `)).length;
    return received === returns.length
      ? []
      : [`${id}: ${received} parts were delivered as returned instead of ${returns.length}`];
  });
}
