import type { ReceivedWebhook } from '../../support/webhook-receiver.ts';
import type { Merchant } from '../load/merchant.ts';
import { isWhollyRefunded } from './records.ts';

/** What has been delivered, by event and record; the connector's by its payment. */
export function deliveredOnes(received: readonly ReceivedWebhook[]): Map<string, number> {
  const delivered = new Map<string, number>();
  for (const { body } of received) {
    const what = typeof body.event === 'string' ? `${body.event} ${body.data.id}` : `${body.status} ${body.paymentId}`;
    delivered.set(what, (delivered.get(what) ?? 0) + 1);
  }
  return delivered;
}

/** Whatever was answered and came true was told, each step at least once. */
export function webhookProblems(
  { book }: Merchant,
  delivered: ReadonlyMap<string, number>,
  inFlight: ReadonlySet<string>,
  givenBack: ReadonlySet<string>,
): string[] {
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
  for (const { id } of book.conversions.values()) expected.push(`conversion.completed ${id}`);
  return expected.filter((what) => !delivered.has(what)).map((what) => `${what} was never delivered`);
}
