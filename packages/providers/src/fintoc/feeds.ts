import type { FeedPage, FeedQuery } from '@gateway/contracts/providers';
import { idIn, nothing, pageOf, pointerItem, readRow, rowOf } from '#src/feed-rows.ts';
import { listedLate, seldomWhileReturnable, type Feed } from '#src/feeds.ts';
import { eventOfTransfer } from '#src/fintoc/events.ts';
import type { FintocConnection } from '#src/fintoc/connection.ts';
import { idOf, itemsPerPage } from '#src/fintoc/transfers.ts';
import { pageSchema, transferSchema, type FintocTransfer } from '#src/fintoc/wire.ts';
import type { CallOptions } from '#src/outcomes.ts';

/** `GET /v2/transfers?direction=inbound`: what arrived on account numbers, by when it arrived. */
export function paymentsFeed(connection: FintocConnection): Feed {
  return {
    name: 'payments',
    windowBy: 'change',
    rereadAfterHours: listedLate,
    ...listOf(connection, 'inbound', () => true),
  };
}

/**
 * `GET /v2/transfers?direction=outbound`, by when they were sent: one that comes back later is in no window any more, so
 * windows are read again. Its results are asked for one by one, and only what came back is looked for here.
 */
export function payoutsFeed(connection: FintocConnection): Feed {
  return {
    name: 'payouts',
    windowBy: 'creation',
    rereadAfterHours: seldomWhileReturnable,
    ...listOf(connection, 'outbound', ({ status }) => status === 'returned'),
  };
}

/**
 * The same list once more, for refunds: each is a transfer of its own, which the payer's bank may send back after it has
 * arrived, and no other list shows that.
 */
export function returnsFeed(connection: FintocConnection): Feed {
  return {
    name: 'returns',
    windowBy: 'creation',
    rereadAfterHours: seldomWhileReturnable,
    ...listOf(connection, 'outbound', ({ status, metadata }) => status === 'returned' && metadata?.kind === 'refund'),
  };
}

function listOf(
  connection: FintocConnection,
  direction: FintocTransfer['direction'],
  isFollowed: (transfer: FintocTransfer) => boolean,
): Pick<Feed, 'readPage' | 'read'> {
  const { id } = connection.config;
  return {
    readPage: (query, options) => readPage(connection, { direction, query }, options),
    read: (row) =>
      readRow(row, transferSchema, (transfer) => {
        if (transfer.direction !== direction) return { kind: 'unreadable', shape: 'a transfer of the other direction' };
        if (transfer.currency !== 'MXN') return { kind: 'unreadable', shape: 'another currency than MXN' };
        const at = transfer.transaction_date ?? connection.now();
        const event = isFollowed(transfer) ? eventOfTransfer(id, { transfer, at, raw: row.raw }) : 'nothing';
        if (event === null) return { kind: 'unreadable', shape: 'a payment without a tracking key' };
        return event === 'nothing' ? nothing : pointerItem([event]);
      }),
  };
}

interface Reading {
  readonly direction: FintocTransfer['direction'];
  readonly query: FeedQuery;
}

/** The place is the last id of the page before. `until` is closed: what falls on it is listed twice, which is harmless. */
async function readPage(
  connection: FintocConnection,
  { direction, query: { from, to, place, pageItems = itemsPerPage } }: Reading,
  options: CallOptions | undefined,
): Promise<FeedPage> {
  const search = new URLSearchParams({
    account_id: connection.config.accountId,
    direction,
    since: from.toISOString(),
    until: to.toISOString(),
    limit: String(pageItems),
    ...(place === undefined ? {} : { starting_after: place }),
  });
  const call = { method: 'GET', path: `/v2/transfers?${search.toString()}`, schema: pageSchema } as const;
  const answer = pageOf(await connection.call(call, options));
  if (answer.kind !== 'page') return answer;
  const items = answer.value;
  const last = idOf(items.at(-1));
  const isFull = items.length >= pageItems;
  if (isFull && (last === undefined || last === place)) {
    return { kind: 'unavailable', cause: 'a full page names no place to go on from' };
  }
  const rows = items.map((item) => rowOf([direction, idIn(item, 'id'), idIn(item, 'status')], item));
  return { kind: 'page', rows, next: isFull && last !== undefined ? last : null };
}
