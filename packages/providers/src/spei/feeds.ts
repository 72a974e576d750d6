import type { z } from 'zod';
import type { FeedPage, FeedQuery, FeedRow } from '@gateway/contracts/providers';
import { idIn, pageOf, pointerItem, readRow, rowOf } from '#src/feed-rows.ts';
import { listedLate, type Feed } from '#src/feeds.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type { SpeiConnection } from '#src/spei/connection.ts';
import { eventOfPayment, eventOfReturn } from '#src/spei/events.ts';
import { paymentPageSchema, paymentSchema, returnPageSchema, transferReturnSchema } from '#src/spei/wire.ts';

const itemsPerPage = 100;

/** `GET /payments`: what arrived on charges, by when it arrived. */
export function paymentsFeed(connection: SpeiConnection): Feed {
  const { id } = connection.config;
  const schema = paymentPageSchema.transform(({ payments: items, has_more: more }) => ({ items, more }));
  const rowOfItem = (item: unknown) => rowOf(['payment', idIn(item, 'tracking_key')], item);
  return {
    name: 'payments',
    windowBy: 'change',
    rereadAfterHours: listedLate,
    readPage: (query, options) => readPage(connection, { list: 'payments', query, schema, rowOfItem }, options),
    read: (row) =>
      readRow(row, paymentSchema, (payment) => {
        if (payment.currency !== 'MXN') return { kind: 'unreadable', shape: 'another currency than MXN' };
        return pointerItem([eventOfPayment(id, payment, row.raw)]);
      }),
  };
}

/** `GET /returns`: what came back of transfers, by when it came back. */
export function payoutsFeed(connection: SpeiConnection): Feed {
  const { id } = connection.config;
  const schema = returnPageSchema.transform(({ returns: items, has_more: more }) => ({ items, more }));
  const rowOfItem = (item: unknown) => rowOf(['return', idIn(item, 'return_key')], item);
  return {
    name: 'payouts',
    windowBy: 'change',
    rereadAfterHours: listedLate,
    readPage: (query, options) => readPage(connection, { list: 'returns', query, schema, rowOfItem }, options),
    read: (row) =>
      readRow(row, transferReturnSchema, (returned) => {
        if (returned.currency !== 'MXN') return { kind: 'unreadable', shape: 'another currency than MXN' };
        return pointerItem([eventOfReturn(id, returned, row.raw)]);
      }),
  };
}

interface Reading {
  readonly list: 'payments' | 'returns';
  readonly query: FeedQuery;
  readonly schema: z.ZodType<{ readonly items: readonly unknown[]; readonly more: boolean }>;
  readonly rowOfItem: (item: unknown) => FeedRow;
}

/** The place is how many items come before. `to` is closed: what falls on it is listed twice, which is harmless. */
async function readPage(
  connection: SpeiConnection,
  { list, query: { from, to, place, pageItems }, schema, rowOfItem }: Reading,
  options: CallOptions | undefined,
): Promise<FeedPage> {
  const offset = /^\d{1,9}$/.test(place ?? '') ? Number(place) : 0;
  const search = new URLSearchParams({
    from: from.toISOString(),
    to: to.toISOString(),
    offset: String(offset),
    limit: String(pageItems ?? itemsPerPage),
  });
  const call = { method: 'GET', path: `/${list}?${search.toString()}`, schema } as const;
  const answer = pageOf(await connection.call(call, options));
  if (answer.kind === 'unreadable') return { ...answer, next: String(offset + (pageItems ?? itemsPerPage)) };
  if (answer.kind !== 'page') return answer;
  const { items, more } = answer.value;
  if (more && items.length === 0) return { kind: 'unavailable', cause: 'an empty page says that more follows' };
  return { kind: 'page', rows: items.map(rowOfItem), next: more ? String(offset + items.length) : null };
}
