import { z } from 'zod';
import type { FeedPage, FeedQuery, FeedRow } from '@gateway/contracts/providers';
import { idIn, pageOf, readRow, rowOf } from '#src/feed-rows.ts';
import type { CallOptions } from '#src/outcomes.ts';
import { lineItem, type StatementFeed, type StatementItem, type StatementLineKind } from '#src/statement.ts';
import { wooviLookedUp, type WooviConnection } from '#src/woovi/connection.ts';
import { readPart } from '#src/woovi/list-transactions.ts';
import { instantSchema, transactionSchema, type WooviTransaction } from '#src/woovi/wire.ts';
import { centsSchema } from '#src/wire-amounts.ts';

const itemsPerPage = 100;
/** An entry and its transaction may be some seconds apart. */
const apartMs = 15_000;
/** As many as half a minute has at a hundred payments a second; a busier window is read in smaller ones. */
const transactionCallsMax = 160;
/** Transactions of another time, as of an entry that was booked late, are looked up one by one. */
const lookupsMax = 10;
const skipMax = 1_000_000;
/** All pages of a window are explained by one reading of its transactions; what it lacks by then is looked up. */
const keptMs = 60_000;
/** Of readers at several distances, each in a window of its own. */
const windowsKept = 4;

/**
 * `GET /api/v1/statement`: the entries of the account's ledger. An entry has an amount, a direction and the id of its
 * transaction; what it is about is in the list of transactions of the same time, which is read beside it.
 */
export function statementFeed(connection: WooviConnection): StatementFeed {
  const listed = new ListedTransactions(connection);
  return {
    name: 'statement',
    rereadAfterHours: [1, 6, 24, 72, 168],
    readPage: (query, options) => readPage(connection, listed, query, options),
    read: (row) => readRow(row, rowSchema, lineOf),
  };
}

const pageSchema = z.array(z.unknown());

/** The place is how many entries are skipped. */
async function readPage(
  connection: WooviConnection,
  listed: ListedTransactions,
  { from, to, place, pageItems = itemsPerPage }: FeedQuery,
  options: CallOptions | undefined,
): Promise<FeedPage> {
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
  const transactions = await transactionsOf(connection, listed, { from, to }, entries, options);
  if (transactions.kind !== 'page') return transactions;
  const rows = entries.map((entry) => rowOfEntry(entry, transactions.byId));
  return { kind: 'page', rows, next: entries.length < pageItems ? null : next };
}

function rowOfEntry(entry: unknown, byId: ReadonlyMap<string, unknown>): FeedRow {
  const transaction = byId.get(idIn(entry, 'transactionId') ?? '');
  return rowOf(['entry', idIn(entry, 'id')], { entry, ...(transaction === undefined ? {} : { transaction }) });
}

type Transactions =
  | { readonly kind: 'page'; readonly byId: ReadonlyMap<string, unknown> }
  | Exclude<Awaited<ReturnType<typeof readPart>>, { readonly kind: 'page' }>;

/** The transactions of the window, by each of their ids. One that cannot be read explains no entry, and hides none. */
async function transactionsOf(
  connection: WooviConnection,
  listed: ListedTransactions,
  window: Window,
  entries: readonly unknown[],
  options: CallOptions | undefined,
): Promise<Transactions> {
  if (!entries.some((entry) => idIn(entry, 'transactionId') !== undefined)) return { kind: 'page', byId: new Map() };
  const transactions = await listed.of(window, options);
  return transactions.kind === 'page'
    ? await withMissing(connection, transactions.byId, entries, options)
    : transactions;
}

interface Window {
  readonly from: Date;
  readonly to: Date;
}

/** Keeps what was listed for a window while its pages are read: a list of hours takes many calls. */
class ListedTransactions {
  readonly #connection: WooviConnection;
  readonly #kept = new Map<string, { readonly byId: ReadonlyMap<string, unknown>; readonly atMs: number }>();

  constructor(connection: WooviConnection) {
    this.#connection = connection;
  }

  async of({ from, to }: Window, options: CallOptions | undefined): Promise<Transactions> {
    const atMs = this.#connection.now().getTime();
    const window = `${from.getTime()}-${to.getTime()}`;
    for (const [key, kept] of this.#kept) if (atMs - kept.atMs >= keptMs) this.#kept.delete(key);
    const kept = this.#kept.get(window);
    if (kept) return { kind: 'page', byId: kept.byId };
    const period = { from: new Date(from.getTime() - apartMs), to: new Date(to.getTime() + apartMs) };
    const listed = await list(this.#connection, period, options);
    if (listed.kind !== 'page') return listed;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= windowsKept) this.#kept.delete(oldest);
    this.#kept.set(window, { byId: listed.byId, atMs });
    return listed;
  }
}

async function list(
  connection: WooviConnection,
  period: Window,
  options: CallOptions | undefined,
): Promise<Transactions> {
  const byId = new Map<string, unknown>();
  let place: string | null = null;
  for (let calls = 0; calls < transactionCallsMax; calls += 1) {
    const asked = { list: 'transaction', filter: {}, ...period, ...(place === null ? {} : { place }) } as const;
    const part = await readPart(connection, asked, options);
    if (part.kind !== 'page') return part;
    for (const item of part.items) for (const id of idsOf(item)) byId.set(id, item);
    if (part.next === null) return { kind: 'page', byId };
    place = part.next;
  }
  // A smaller window has fewer of them.
  return { kind: 'unavailable', cause: `the transactions are not complete after ${transactionCallsMax} calls` };
}

/** `GET /api/v1/transaction/{id}` for the few that are not in the list. One that is not found there explains nothing. */
async function withMissing(
  connection: WooviConnection,
  listed: ReadonlyMap<string, unknown>,
  entries: readonly unknown[],
  options: CallOptions | undefined,
): Promise<Transactions> {
  const byId = new Map(listed);
  const named = new Set(entries.flatMap((entry) => idIn(entry, 'transactionId') ?? []));
  const missing = [...named].filter((id) => !byId.has(id));
  for (const id of missing.slice(0, lookupsMax)) {
    const path = `/api/v1/transaction/${encodeURIComponent(id)}`;
    const found = wooviLookedUp(await connection.call({ method: 'GET', path, schema: foundSchema }, options));
    if (found.status === 'UNAVAILABLE') return { kind: 'unavailable', cause: found.cause };
    if (found.status === 'FOUND') byId.set(id, found.value.transaction);
  }
  return { kind: 'page', byId };
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
      return { kind: 'overturn', returnId: endToEndId };
    case 'FEE':
      return { kind: 'fee', e2eId: endToEndId };
    case 'INTERNAL_TRANSFER':
      return { kind: 'own_transfer', e2eId: endToEndId };
    case undefined:
    default:
      return null;
  }
}
