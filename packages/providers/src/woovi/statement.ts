import { z } from 'zod';
import type { FeedPage, FeedQuery, FeedRow } from '@gateway/contracts/providers';
import { idIn, pageOf, readRow, rowOf, type MissingPage } from '#src/feed-rows.ts';
import { ListedBeside, type Abouts, type Period } from '#src/listed-beside.ts';
import type { CallOptions } from '#src/outcomes.ts';
import { lineItem, type StatementFeed, type StatementItem, type StatementLineKind } from '#src/statement.ts';
import { wooviLookedUp, type WooviConnection } from '#src/woovi/connection.ts';
import { readPart } from '#src/woovi/list-transactions.ts';
import { instantSchema, transactionSchema, type WooviTransaction } from '#src/woovi/wire.ts';
import { centsSchema } from '#src/wire-amounts.ts';

const itemsPerPage = 100;
/** An entry and its transaction may be some seconds apart. */
const apartMs = 15_000;
/** As many as a minute has at three hundred payments a second; a busier window is read in smaller ones. */
const transactionCallsMax = 320;
/** Transactions of another time, as of an entry that was booked late, are looked up one by one. */
const lookupsMax = 10;
const skipMax = 1_000_000;

/**
 * `GET /api/v1/statement`: the entries of the account's ledger. An entry has an amount, a direction and the id of its
 * transaction; what it is about is in the list of transactions of the same time, which is read beside it.
 */
export function statementFeed(connection: WooviConnection): StatementFeed {
  const listed = new ListedBeside({
    ...{ now: connection.now, apartMs, pagesMax: transactionCallsMax, idsOf },
    readPage: (period, options) => readPart(connection, { list: 'transaction', filter: {}, ...period }, options),
  });
  return {
    name: 'statement',
    rereadAfterHours: [1, 6, 24, 72, 168],
    readPage: (query, options) => readPage({ connection, listed }, query, options),
    read: (row) => readRow(row, rowSchema, lineOf),
  };
}

const pageSchema = z.array(z.unknown());

interface Reading {
  readonly connection: WooviConnection;
  readonly listed: ListedBeside;
  readonly window: Period;
}

/** The place is how many entries are skipped. */
async function readPage(
  { connection, listed }: Omit<Reading, 'window'>,
  { from, to, place, pageItems = itemsPerPage }: FeedQuery,
  options: CallOptions | undefined,
): Promise<FeedPage> {
  listed.forgetOld();
  const skip = /^\d{1,7}$/.test(place ?? '') ? Number(place) : 0;
  const search = new URLSearchParams({
    start: from.toISOString(),
    end: to.toISOString(),
    skip: String(skip),
    limit: String(pageItems),
  });
  const call = { method: 'GET', path: `/api/v1/statement?${search.toString()}`, schema: pageSchema } as const;
  const answer = pageOf(await connection.call(call, options));
  const next = skip + pageItems < skipMax ? String(skip + pageItems) : null;
  if (answer.kind === 'unreadable') return { ...answer, next };
  if (answer.kind !== 'page') return answer;
  const entries = answer.value;
  const transactions = await transactionsOf({ connection, listed, window: { from, to } }, entries, options);
  if (transactions.kind !== 'page') return transactions;
  const rows = entries.map((entry) => rowOfEntry(entry, transactions.find));
  const isLast = entries.length < pageItems;
  return { kind: 'page', rows, next: isLast ? null : next, listed: rows.length + transactions.items };
}

function rowOfEntry(entry: unknown, find: (id: string) => unknown): FeedRow {
  const transaction = find(idIn(entry, 'transactionId') ?? '');
  return rowOf(['entry', idIn(entry, 'id')], { entry, ...(transaction === undefined ? {} : { transaction }) });
}

/**
 * What entries are about. Where nearly all are known, as when a window is read again, the few others are asked for one by
 * one, and listed with their window only if that does not find them.
 */
async function transactionsOf(
  { connection, listed, window }: Reading,
  entries: readonly unknown[],
  options: CallOptions | undefined,
): Promise<Abouts> {
  const wanted = await wantedOf(entries, options);
  const found = new Map<string, unknown>();
  const find = (id: string) => found.get(id);
  const isFew = wanted.length <= entries.length / 10;
  const missing = isFew && (await lookUp(connection, found, wanted, options));
  if (missing) return missing;
  if (isFew && wanted.every((id) => found.has(id))) return { kind: 'page', find, items: 0 };
  const transactions = await listed.of(window, options);
  if (transactions.kind !== 'page') return transactions;
  const notListed = isFew ? [] : wanted.filter((id) => transactions.find(id) === undefined);
  const notFound = await lookUp(connection, found, notListed, options);
  return notFound ?? { ...transactions, find: (id) => find(id) ?? transactions.find(id) };
}

/** The ids that entries have of what they are about, without those of lines that are known. */
async function wantedOf(entries: readonly unknown[], options: CallOptions | undefined): Promise<string[]> {
  const named = entries.filter((entry) => idIn(entry, 'transactionId') !== undefined);
  const names = named.flatMap((entry) => idIn(entry, 'id') ?? []);
  const known = names.length > 0 ? await options?.known?.(names) : undefined;
  const wanted = named.filter((entry) => !known?.has(idIn(entry, 'id') ?? ''));
  return [...new Set(wanted.flatMap((entry) => idIn(entry, 'transactionId') ?? []))];
}

/** `GET /api/v1/transaction/{id}` for a few. One that is not found explains nothing. */
async function lookUp(
  connection: WooviConnection,
  found: Map<string, unknown>,
  ids: readonly string[],
  options: CallOptions | undefined,
): Promise<MissingPage | undefined> {
  for (const id of ids.slice(0, lookupsMax)) {
    const path = `/api/v1/transaction/${encodeURIComponent(id)}`;
    const answer = wooviLookedUp(await connection.call({ method: 'GET', path, schema: foundSchema }, options));
    if (answer.status === 'UNAVAILABLE') return { kind: 'unavailable', cause: answer.cause };
    if (answer.status === 'FOUND') found.set(id, answer.value.transaction);
  }
  return undefined;
}

const foundSchema = z.object({ transaction: z.unknown() });

/** The rail's id, and the id in the name that Woovi gives it for others: base64 of `PixTransaction:id`. */
function idsOf(item: unknown): string[] {
  const named = Buffer.from(idIn(item, 'globalID') ?? '', 'base64')
    .toString('utf8')
    .split(':')[1];
  return [idIn(item, 'endToEndId'), idIn(item, 'endToEndID'), named].filter((id) => id !== undefined);
}

const rowSchema = z.object({
  entry: z.object({
    id: z.string().min(1).max(64),
    time: instantSchema,
    value: centsSchema,
    type: z.enum(['CREDIT', 'DEBIT']),
    transactionId: z.string().max(128).nullish(),
    description: z.string().nullish(),
  }),
  /** What it is about; one that does not fit leaves the entry unexplained. */
  transaction: transactionSchema.optional().catch(undefined),
});

function lineOf({ entry, transaction }: z.infer<typeof rowSchema>): StatementItem {
  const { id, time: bookedAt, value, type, description, transactionId } = entry;
  const isCredit = type === 'CREDIT';
  const line = { lineKey: id, bookedAt, amount: isCredit ? value : -value, currency: 'BRL', text: description ?? null };
  const facts = transaction ? factsOf(transaction, isCredit) : null;
  if (facts) return lineItem({ ...line, currency: 'BRL', transferId: transactionId ?? null, ...facts });
  return lineItem({ ...line, currency: 'BRL', kind: 'other', transferId: transactionId ?? null });
}

interface Facts {
  readonly kind: StatementLineKind;
  readonly e2eId?: string;
  readonly returnId?: string;
  readonly ourRef?: string;
  readonly counterparty?: string;
}

/**
 * A refund that comes in is a payout that came back, where it names one, or else money that was taken back wrongly. One that
 * goes out was sent by us, or taken back under MED: the list has one type for both.
 */
function factsOf(transaction: WooviTransaction, isCredit: boolean): Facts | null {
  const { type, endToEndId, charge, payment, withdraw, payer } = transaction;
  const sent = withdraw?.endToEndId ?? withdraw?.endToEndID;
  const ourRef = payment?.correlationID ?? charge?.correlationID;
  const named = ourRef === undefined ? {} : { ourRef };
  const counterparty = payer?.taxID?.taxID ?? payer?.name;
  const other = counterparty === undefined ? {} : { counterparty };
  switch (type) {
    case 'PAYMENT':
      return isCredit ? { kind: 'payment', e2eId: endToEndId, ...named, ...other } : null;
    case 'WITHDRAW':
      return isCredit ? null : { kind: 'payout', e2eId: endToEndId, ...named };
    case 'REVERSAL':
      return isCredit ? { kind: 'return', returnId: endToEndId, ...named, ...(sent ? { e2eId: sent } : {}) } : null;
    case 'REFUND':
      if (!isCredit) return { kind: 'other', returnId: endToEndId, ...named };
      if (sent) return { kind: 'return', returnId: endToEndId, e2eId: sent, ...named };
      return { kind: 'overturn', returnId: endToEndId, ...named };
    case 'FEE':
      return { kind: 'fee', e2eId: endToEndId };
    case 'INTERNAL_TRANSFER':
      return { kind: 'own_transfer', e2eId: endToEndId };
    case undefined:
    default:
      return null;
  }
}
