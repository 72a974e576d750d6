import type { FeedPage, FeedQuery, FeedRow } from '@gateway/contracts/providers';
import { idIn, nothing, pointerItem, readRow, rowOf } from '#src/feed-rows.ts';
import { dailyWhileReturnable, listedLate, type Feed, type FeedItem } from '#src/feeds.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type { WooviConnection } from '#src/woovi/connection.ts';
import { eventOfDispute } from '#src/woovi/disputes.ts';
import { eventOfReversal, eventOfTransaction } from '#src/woovi/events.ts';
import { readPart, type WooviList } from '#src/woovi/list-transactions.ts';
import { disputeSchema, transactionSchema } from '#src/woovi/wire.ts';

/** `GET /api/v1/transaction?type=PAYMENT`: what arrived; on charges, where it names one. */
export function paymentsFeed(connection: WooviConnection): Feed {
  const { id } = connection.config;
  return {
    name: 'payments',
    windowBy: 'creation',
    rereadAfterHours: listedLate,
    readPage: (query, options) =>
      readList(connection, { list: 'transaction', filter: { type: 'PAYMENT' }, query, rowOfItem: paymentRow }, options),
    read: (row) =>
      readRow(row, transactionSchema, (transaction) => {
        if (!transaction.charge || transaction.status === 'REJECTED') return nothing;
        const event = eventOfTransaction(id, { transaction, raw: row.raw });
        return event ? pointerItem([event]) : { kind: 'unreadable', shape: 'a payment on a charge without a name' };
      }),
  };
}

/**
 * `GET /api/v1/dispute`. An item says that there is something to ask for by its payment: it need not have an amount, nor a
 * time of its change.
 */
export function disputesFeed(connection: WooviConnection): Feed {
  const { id } = connection.config;
  return {
    name: 'disputes',
    windowBy: 'creation',
    rereadAfterHours: dailyWhileReturnable,
    readPage: (query, options) =>
      readList(connection, { list: 'dispute', filter: {}, query, rowOfItem: disputeRow }, options),
    read: (row) =>
      readRow(row, disputeSchema, (dispute) => {
        const learnedAt = dispute.updatedAt ?? dispute.createdAt ?? new Date(0);
        return pointerItem([eventOfDispute(id, { dispute, raw: row.raw, learnedAt })]);
      }),
  };
}

const returnTypes = ['REVERSAL', 'REFUND'] as const;

/**
 * `GET /api/v1/transaction?type=REVERSAL` and `type=REFUND`: a payment sent that came back has one of the two, and the latter
 * are mostly what we sent back ourselves. An item says of which payment to ask.
 */
export function payoutsFeed(connection: WooviConnection): Feed {
  const { id } = connection.config;
  return {
    name: 'payouts',
    windowBy: 'creation',
    rereadAfterHours: listedLate,
    readPage: (query, options) => readReturns(connection, query, options),
    read: (row) =>
      readRow(row, transactionSchema, (transaction): FeedItem => {
        const event = eventOfReversal(id, { transaction, raw: row.raw });
        if (event) return pointerItem([event]);
        if (transaction.type !== 'REVERSAL') return nothing;
        return { kind: 'unreadable', shape: 'a reversal that does not name what came back' };
      }),
  };
}

/** One list after the other; the place names the list, and the place in it. */
async function readReturns(
  connection: WooviConnection,
  query: FeedQuery,
  options: CallOptions | undefined,
): Promise<FeedPage> {
  const [type = returnTypes[0], inList] = query.place?.split('/') ?? [];
  const { from, to } = query;
  const inner = { from, to, ...(inList ? { place: inList } : {}) };
  const reading = { list: 'transaction', filter: { type }, query: inner, rowOfItem: returnRow } as const;
  const page = await readList(connection, reading, options);
  if (page.kind !== 'page') return page;
  if (page.next !== null) return { ...page, next: `${type}/${page.next}` };
  return { ...page, next: type === returnTypes[0] ? `${returnTypes[1]}/` : null };
}

interface Reading extends WooviList {
  readonly query: FeedQuery;
  readonly rowOfItem: (item: unknown) => FeedRow;
}

async function readList(
  connection: WooviConnection,
  { list, filter, query: { from, to, place }, rowOfItem }: Reading,
  options: CallOptions | undefined,
): Promise<FeedPage> {
  const part = { list, filter, from, to, ...(place === undefined ? {} : { place }) };
  const answer = await readPart(connection, part, options);
  return answer.kind === 'page' ? { kind: 'page', rows: answer.items.map(rowOfItem), next: answer.next } : answer;
}

function paymentRow(item: unknown): FeedRow {
  return rowOf(['pix', e2eIdIn(item), idIn(item, 'status') ?? ''], item);
}

function returnRow(item: unknown): FeedRow {
  return rowOf(['return', e2eIdIn(item)], item);
}

function disputeRow(item: unknown): FeedRow {
  return rowOf(['dispute', e2eIdIn(item), idIn(item, 'status'), idIn(item, 'updatedAt') ?? ''], item);
}

function e2eIdIn(item: unknown): string | undefined {
  return idIn(item, 'endToEndId') ?? idIn(item, 'endToEndID');
}
