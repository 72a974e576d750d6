import { z } from 'zod';
import type { FeedPage, FeedQuery, FeedRow } from '@gateway/contracts/providers';
import { idIn, pageOf, readRow, rowOf, type MissingPage } from '#src/feed-rows.ts';
import type { FintocConnection } from '#src/fintoc/connection.ts';
import { idOf, itemsPerPage } from '#src/fintoc/transfers.ts';
import { pageSchema, transferSchema, type FintocTransfer } from '#src/fintoc/wire.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { CallOptions } from '#src/outcomes.ts';
import { lineItem, type StatementFeed, type StatementItem } from '#src/statement.ts';
import { movedCentsSchema } from '#src/wire-amounts.ts';

/** A movement and its transfer may be some minutes apart: a transfer is listed by when it was made. */
const apartMs = 10 * 60_000;
const transferPagesMax = 5;
/** Transfers that were made longer before they moved are looked up one by one. */
const lookupsMax = 10;

/**
 * `GET /v2/accounts/{id}/movements` ("List movements", docs.fintoc.com, version 2026-02-01, read on 22 November 2026): every
 * change of the account's balance, the newest first. A movement names the transfer that it comes from, which says whose it is.
 */
export function statementFeed(connection: FintocConnection): StatementFeed {
  return {
    name: 'statement',
    rereadAfterHours: [1, 6, 24, 72, 168],
    readPage: (query, options) => readPage(connection, query, options),
    read: (row) => readRow(row, rowSchema, lineOf),
  };
}

/** The place is the last id of the page before. `until` is closed: what falls on it is listed twice, which is harmless. */
async function readPage(
  connection: FintocConnection,
  { from, to, place, pageItems = itemsPerPage }: FeedQuery,
  options: CallOptions | undefined,
): Promise<FeedPage> {
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
  const transfers = await transfersOf(connection, { from, to }, movements, options);
  if (transfers.kind !== 'page') return transfers;
  const rows = movements.map((movement) => rowOfMovement(movement, transfers.byId));
  return { kind: 'page', rows, next: isFull && last !== undefined ? last : null };
}

function rowOfMovement(movement: unknown, byId: ReadonlyMap<string, unknown>): FeedRow {
  const transfer = byId.get(idIn(movement, 'resource_id') ?? '');
  return rowOf(['movement', idIn(movement, 'id')], { movement, ...(transfer === undefined ? {} : { transfer }) });
}

type Transfers = { readonly kind: 'page'; readonly byId: ReadonlyMap<string, unknown> } | MissingPage;

/** The transfers that the movements name: from the list of the same time, and the few that are missing there singly. */
async function transfersOf(
  connection: FintocConnection,
  window: { readonly from: Date; readonly to: Date },
  movements: readonly unknown[],
  options: CallOptions | undefined,
): Promise<Transfers> {
  const missing = new Set(movements.flatMap((movement) => idIn(movement, 'resource_id') ?? []));
  const byId = new Map<string, unknown>();
  const add = (transfer: unknown): void => {
    const id = idOf(transfer);
    if (id === undefined || !missing.delete(id)) return;
    byId.set(id, transfer);
  };
  const search = new URLSearchParams({
    account_id: connection.config.accountId,
    since: new Date(window.from.getTime() - apartMs).toISOString(),
    until: new Date(window.to.getTime() + apartMs).toISOString(),
    limit: String(itemsPerPage),
  });
  for (let pages = 0; pages < transferPagesMax && missing.size > 0; pages += 1) {
    const call = { method: 'GET', path: `/v2/transfers?${search.toString()}`, schema: pageSchema } as const;
    const answer = pageOf(await connection.call(call, options));
    if (answer.kind !== 'page') return answer;
    answer.value.forEach(add);
    const last = idOf(answer.value.at(-1));
    if (answer.value.length < itemsPerPage || last === undefined) break;
    search.set('starting_after', last);
  }
  for (const id of [...missing].slice(0, lookupsMax)) {
    const path = `/v2/transfers/${encodeURIComponent(id)}`;
    const found = lookedUp(await connection.call({ method: 'GET', path, schema: z.unknown() }, options));
    if (found.status === 'UNAVAILABLE') return { kind: 'unavailable', cause: found.cause };
    if (found.status === 'FOUND') add(found.value);
  }
  return { kind: 'page', byId };
}

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
