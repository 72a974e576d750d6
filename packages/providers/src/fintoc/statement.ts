import { z } from 'zod';
import type { FeedPage, FeedQuery, FeedRow } from '@gateway/contracts/providers';
import { idIn, pageOf, readRow, rowOf } from '#src/feed-rows.ts';
import type { FintocConnection } from '#src/fintoc/connection.ts';
import { idOf, itemsPerPage } from '#src/fintoc/transfers.ts';
import { pageSchema, transferSchema, type FintocTransfer } from '#src/fintoc/wire.ts';
import { lookedUp } from '#src/http/classify.ts';
import { ListedBeside, type Abouts, type ListPage, type Period } from '#src/listed-beside.ts';
import type { CallOptions } from '#src/outcomes.ts';
import { lineItem, type StatementFeed, type StatementItem } from '#src/statement.ts';
import { movedCentsSchema } from '#src/wire-amounts.ts';

/** Nearly every transfer moves within seconds of being made, which is when it is listed. */
const apartMs = 15_000;
/** Transfers that were made longer before they moved are looked up one by one, as payouts that wait at the bank. */
const lookupsMax = 60;
/** As many as a minute has at three hundred payments a second; a busier window is read in smaller ones. */
const transferPagesMax = 80;

/**
 * `GET /v2/accounts/{id}/movements` ("List movements", docs.fintoc.com, version 2026-02-01, read on 22 November 2026): every
 * change of the account's balance, the newest first. A movement names the transfer that it comes from, which says whose it is.
 */
export function statementFeed(connection: FintocConnection): StatementFeed {
  const listed = new ListedBeside({
    ...{ now: connection.now, apartMs, pagesMax: transferPagesMax },
    readPage: (period, options) => readTransfers(connection, period, options),
    idsOf: (transfer) => [idOf(transfer) ?? ''],
  });
  return {
    name: 'statement',
    rereadAfterHours: [1, 6, 24, 72, 168],
    readPage: (query, options) => readPage({ connection, listed }, query, options),
    read: (row) => readRow(row, rowSchema, lineOf),
  };
}

interface Reading {
  readonly connection: FintocConnection;
  readonly listed: ListedBeside;
  readonly window: Period;
}

/** The place is the last id of the page before. `until` is closed: what falls on it is listed twice, which is harmless. */
async function readPage(
  { connection, listed }: Omit<Reading, 'window'>,
  { from, to, place, pageItems = itemsPerPage }: FeedQuery,
  options: CallOptions | undefined,
): Promise<FeedPage> {
  listed.forgetOld();
  const search = new URLSearchParams({
    since: from.toISOString(),
    until: to.toISOString(),
    limit: String(pageItems),
    ...(place === undefined ? {} : { starting_after: place }),
  });
  const account = encodeURIComponent(connection.config.accountId);
  const path = `/v2/accounts/${account}/movements?${search.toString()}`;
  const answer = pageOf(await connection.call({ method: 'GET', path, schema: pageSchema }, options));
  if (answer.kind !== 'page') return answer;
  const movements = answer.value;
  const last = idOf(movements.at(-1));
  const isFull = movements.length >= pageItems;
  if (isFull && (last === undefined || last === place)) {
    return { kind: 'unavailable', cause: 'a full page names no place to go on from' };
  }
  const transfers = await transfersOf({ connection, listed, window: { from, to } }, movements, options);
  if (transfers.kind !== 'page') return transfers;
  const rows = movements.map((movement) => rowOfMovement(movement, transfers.find));
  const next = isFull && last !== undefined ? last : null;
  return { kind: 'page', rows, next, listed: rows.length + transfers.items };
}

function rowOfMovement(movement: unknown, find: (id: string) => unknown): FeedRow {
  const transfer = find(idIn(movement, 'resource_id') ?? '');
  return rowOf(['movement', idIn(movement, 'id')], { movement, ...(transfer === undefined ? {} : { transfer }) });
}

/** The transfers that were made in a period, the newest first. The place is the last id of the page before. */
async function readTransfers(
  connection: FintocConnection,
  { from, to, place }: Period & { readonly place?: string },
  options: CallOptions | undefined,
): Promise<ListPage> {
  const search = new URLSearchParams({
    account_id: connection.config.accountId,
    since: from.toISOString(),
    until: to.toISOString(),
    limit: String(itemsPerPage),
    ...(place === undefined ? {} : { starting_after: place }),
  });
  const call = { method: 'GET', path: `/v2/transfers?${search.toString()}`, schema: pageSchema } as const;
  const answer = pageOf(await connection.call(call, options));
  if (answer.kind !== 'page') return answer;
  const items = answer.value;
  return { kind: 'page', items, next: items.length < itemsPerPage ? null : (idOf(items.at(-1)) ?? null) };
}

/** The transfers that movements name: from the list of the same time, and the few that are missing there singly. */
async function transfersOf(
  { connection, listed, window }: Reading,
  movements: readonly unknown[],
  options: CallOptions | undefined,
): Promise<Abouts> {
  const names = movements.flatMap((movement) => idIn(movement, 'id') ?? []);
  const known = names.length > 0 ? await options?.known?.(names) : undefined;
  const others = movements.filter((movement) => !known?.has(idIn(movement, 'id') ?? ''));
  const wanted = [...new Set(others.flatMap((movement) => idIn(movement, 'resource_id') ?? []))];
  const isFew = wanted.length <= movements.length / 10;
  const transfers = isFew ? nothingListed : await listed.of(window, options);
  if (transfers.kind !== 'page') return transfers;
  const single = new Map<string, unknown>();
  const missing = wanted.filter((id) => transfers.find(id) === undefined);
  for (const id of missing.slice(0, lookupsMax)) {
    const path = `/v2/transfers/${encodeURIComponent(id)}`;
    const found = lookedUp(await connection.call({ method: 'GET', path, schema: z.unknown() }, options));
    if (found.status === 'UNAVAILABLE') return { kind: 'unavailable', cause: found.cause };
    if (found.status === 'FOUND') single.set(id, found.value);
  }
  return { ...transfers, find: (id) => single.get(id) ?? transfers.find(id) };
}

const nothingListed: Abouts = { kind: 'page', find: () => undefined, items: 0 };

const rowSchema = z.object({
  movement: z.object({
    id: z.string().min(1).max(64),
    amount: movedCentsSchema,
    currency: z.literal('MXN'),
    direction: z.enum(['inbound', 'outbound']),
    resource_id: z.string().max(64).nullish(),
    transaction_date: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
    type: z.string(),
  }),
  /** One that does not fit leaves the movement unexplained. */
  transfer: transferSchema.optional().catch(undefined),
});

function lineOf({ movement, transfer }: z.infer<typeof rowSchema>): StatementItem {
  const {
    id: lineKey,
    amount,
    currency,
    direction,
    resource_id: transferId,
    transaction_date: bookedAt,
    type,
  } = movement;
  const isIn = direction === 'inbound';
  const line = { lineKey, bookedAt, amount: isIn ? amount : -amount, currency, text: type } as const;
  const named = transferId ? { transferId } : {};
  if (type === 'fee') return lineItem({ ...line, ...named, kind: 'fee' });
  const facts = transfer && factsOf(transfer, type, isIn);
  return facts ? lineItem({ ...line, ...named, ...facts }) : lineItem({ ...line, ...named, kind: 'other' });
}

/**
 * A return is named by the transfer it undoes, since Fintoc gives it no key of its own. What came in on an account number that
 * is no charge's, and what went out without a reference, is the operator's own money.
 */
function factsOf(transfer: FintocTransfer, type: string, isIn: boolean) {
  const { tracking_key: trackingKey, counterparty } = transfer;
  const { reference: ourRef, kind } = transfer.metadata ?? {};
  const e2eId = trackingKey ?? null;
  const other = counterparty?.holder_id ?? counterparty?.account_number ?? null;
  if (type === 'transfer_return') {
    return isIn ? ({ kind: 'return', e2eId, returnId: e2eId ?? transfer.id, ourRef: ourRef ?? null } as const) : null;
  }
  if (type !== 'transfer' || isIn !== (transfer.direction === 'inbound')) return null;
  if (isIn) {
    const charge = transfer.account_number?.metadata?.reference;
    const facts = { e2eId, counterparty: other };
    return charge === undefined
      ? ({ kind: 'own_transfer', ...facts } as const)
      : ({ kind: 'payment', ...facts, ourRef: charge } as const);
  }
  if (ourRef === undefined) return { kind: 'own_transfer', e2eId, counterparty: other } as const;
  if (kind === 'payout') return { kind: 'payout', e2eId, ourRef, counterparty: other } as const;
  return kind === 'refund' ? ({ kind: 'refund', e2eId, returnId: e2eId, ourRef, counterparty: other } as const) : null;
}
