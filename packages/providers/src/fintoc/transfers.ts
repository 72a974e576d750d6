import type { RailMoney } from '@gateway/money';
import { differs, unknownFor } from '#src/differs.ts';
import { lookupOf, notSentWithout, refusal, type FintocConnection } from '#src/fintoc/connection.ts';
import { pageSchema, transferSchema, type FintocTransfer } from '#src/fintoc/wire.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { CallOptions, Differs, NotFound, NotSent, Refused, Unavailable, Unknown } from '#src/outcomes.ts';

/** `limit` of a list is 300 at most. */
export const itemsPerPage = 300;
/** More pages of a list than this are not searched for one object: the answer is then that nothing is known. */
const pagesMax = 20;
/** Our clock and Fintoc's may differ by this much. */
export const clockSkewMs = 5 * 60_000;
/** A transfer is searched in the time of its first sending, then in that of repetitions. The last part ends now. */
const searchedPartsMs = [60 * 60_000, 24 * 60 * 60_000, Number.POSITIVE_INFINITY] as const;

/** `payout` and `refund`: what an outbound transfer is to the gateway. */
export type TransferKind = 'payout' | 'refund';

/** An outbound transfer as the gateway recorded it before it was sent. */
export interface RecordedTransfer {
  readonly kind: TransferKind;
  readonly ref: string;
  readonly sentAt: Date;
  readonly money: RailMoney;
  /** Fintoc's id, where it has been answered before. */
  readonly providerRef?: string;
}

export type FoundTransfer = { readonly status: 'FOUND'; readonly value: FintocTransfer } | NotFound | Unavailable;

/** `GET /v2/transfers/{id}`, or a search by our reference: without the id, and where that stands in its place. */
export async function findTransfer(
  connection: FintocConnection,
  recorded: RecordedTransfer,
  options?: CallOptions,
): Promise<FoundTransfer> {
  const { providerRef, ref } = recorded;
  if (providerRef === undefined || providerRef === ref) return await searchTransfer(connection, recorded, options);
  const path = `/v2/transfers/${encodeURIComponent(providerRef)}`;
  return lookedUp(await connection.call({ method: 'GET', path, schema: transferSchema }, options));
}

/**
 * Fintoc has no question by a reference of ours or by a key of idempotency, and no filter by `metadata`. What was sent and
 * not answered is searched in the list of outbound transfers by date; the reference stands in the `metadata` that we
 * attached. The hour of sending is read first: however many have followed since, nearly every one is found there. Where it
 * is in none of the parts, it was not made; a part that is too long to be read leaves that open.
 */
async function searchTransfer(
  connection: FintocConnection,
  { kind, ref, sentAt, money }: RecordedTransfer,
  options: CallOptions | undefined,
): Promise<FoundTransfer> {
  const pick = (item: unknown) => {
    const transfer = transferSchema.safeParse(item);
    if (!transfer.success || transfer.data.metadata === undefined) return 'unreadable';
    const { metadata, amount } = transfer.data;
    // One that nothing is attached to was made elsewhere; of the same amount it might be ours all the same.
    if (metadata === null) return amount === money.amount ? 'unreadable' : 'another';
    return metadata.reference === ref && metadata.kind === kind ? transfer.data : 'another';
  };
  let since = sentAt.getTime() - clockSkewMs;
  for (const partMs of searchedPartsMs) {
    const until = sentAt.getTime() + partMs;
    const isLast = until > connection.now().getTime();
    const search = {
      account_id: connection.config.accountId,
      direction: 'outbound',
      since: new Date(since).toISOString(),
      ...(isLast ? {} : { until: new Date(until).toISOString() }),
    };
    const found = await searchPages(connection, { path: '/v2/transfers', search }, pick, options);
    if (found.status !== 'NOT_FOUND' || isLast) return found;
    // The parts overlap: whether the end of one belongs to it is stated nowhere, and what is in neither would be sent again.
    since = until - clockSkewMs;
  }
  return { status: 'NOT_FOUND' };
}

interface SearchedList {
  readonly path: string;
  readonly search: Readonly<Record<string, string>>;
  /** What is searched cannot be behind this page any more. */
  readonly isBehind?: (page: readonly unknown[]) => boolean;
}

/**
 * Reads a list page after page until an item is the one. A list that is too long to be read proves nothing, and neither
 * does one with an item that may be the one and cannot be read.
 */
export async function searchPages<T extends object>(
  connection: FintocConnection,
  list: SearchedList,
  pick: (item: unknown) => T | 'another' | 'unreadable',
  options?: CallOptions,
): Promise<{ readonly status: 'FOUND'; readonly value: T } | NotFound | Unavailable> {
  let after: string | undefined;
  let isReadable = true;
  for (let page = 0; page < pagesMax; page += 1) {
    const found = await readPage(connection, list, after, options);
    if (found.status !== 'FOUND') return found;
    for (const item of found.items) {
      const value = pick(item);
      if (value === 'unreadable') isReadable = false;
      else if (value !== 'another') return { status: 'FOUND', value };
    }
    after = list.isBehind?.(found.items) === true ? undefined : found.next;
    if (after !== undefined) continue;
    return isReadable
      ? { status: 'NOT_FOUND' }
      : { status: 'UNAVAILABLE', cause: 'an item of the list cannot be read' };
  }
  return { status: 'UNAVAILABLE', cause: `it is not among the first ${pagesMax * itemsPerPage} of the list` };
}

type ListedPage =
  | {
      readonly status: 'FOUND';
      readonly items: readonly unknown[];
      /** Absent on the last page. */ readonly next?: string;
    }
  | Unavailable;

/** A page behind that id, or the first. A 404 of a list is no answer about what may be in it. */
export async function readPage(
  connection: FintocConnection,
  { path, search }: SearchedList,
  after: string | undefined,
  options: CallOptions | undefined,
): Promise<ListedPage> {
  const query = new URLSearchParams({ ...search, limit: String(itemsPerPage) });
  if (after !== undefined) query.set('starting_after', after);
  const call = { method: 'GET', path: `${path}?${query.toString()}`, schema: pageSchema } as const;
  const found = lookedUp(await connection.call(call, options));
  if (found.status === 'UNAVAILABLE') return found;
  if (found.status === 'NOT_FOUND') return { status: 'UNAVAILABLE', cause: 'the list answered 404' };
  const items = found.value;
  return { status: 'FOUND', items, next: items.length < itemsPerPage ? undefined : idOf(items.at(-1)) };
}

export function idOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('id' in item)) return undefined;
  return typeof item.id === 'string' ? item.id : undefined;
}

interface TransferOrder extends RecordedTransfer {
  readonly account: string;
  readonly holder: { readonly name?: string; readonly document?: string };
  readonly comment?: string;
}

/** Names and comments on the rail hold this much (Fintoc: 40 characters; Banxico: 39 or 40). */
const railTextMaxCharacters = 39;

/** What became of the call, and in whose words: a transfer, a certain refusal, or neither. */
export type SentTransfer = { readonly kind: 'sent'; readonly transfer: FintocTransfer } | Refused | Unknown | NotSent;

/** `POST /v2/transfers`, signed, under our reference. */
export async function sendTransfer(
  connection: FintocConnection,
  order: TransferOrder,
  options?: CallOptions,
): Promise<SentTransfer> {
  const { kind, ref, money, account, holder, comment } = order;
  const body = {
    account_id: connection.config.accountId,
    amount: money.amount,
    currency: money.currency,
    counterparty: {
      account_number: account,
      ...(holder.name ? { holder_name: holder.name.slice(0, railTextMaxCharacters) } : {}),
      ...(holder.document ? { holder_id: holder.document } : {}),
    },
    ...(comment ? { comment: comment.slice(0, railTextMaxCharacters) } : {}),
    metadata: { reference: ref, kind },
  };
  const earlier = await sentLongAgo(connection, order, options);
  if (earlier) return earlier;
  const call = { path: '/v2/transfers', body, schema: transferSchema, reference: ref, isSigned: true };
  const outcome = await connection.create(call, options);
  switch (outcome.kind) {
    case 'answered':
      return sentAs(order, outcome.value);
    case 'rejected': {
      // What refuses this call may be the earlier one, whose answer was lost.
      const found = await findTransfer(connection, order, lookupOf(options));
      if (found.status === 'FOUND') return sentAs(order, found.value);
      if (found.status === 'NOT_FOUND') return refusal(outcome);
      return { kind: 'unknown', cause: `rejected with ${outcome.status}, and its transfer cannot be had` };
    }
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

/** Fintoc may forget a key of idempotency after 24 hours; this is well before that. */
const keyIsCertainMs = 20 * 60 * 60_000;

/** After a day the key protects no longer, but the list shows what was sent: it is searched before anything is sent again. */
async function sentLongAgo(
  connection: FintocConnection,
  order: RecordedTransfer,
  options: CallOptions | undefined,
): Promise<SentTransfer | null> {
  if (connection.now().getTime() - order.sentAt.getTime() < keyIsCertainMs) return null;
  const found = await findTransfer(connection, order, lookupOf(options));
  if (found.status === 'FOUND') return sentAs(order, found.value);
  if (found.status === 'NOT_FOUND') return null;
  return notSentWithout(found.cause, options);
}

function sentAs(recorded: RecordedTransfer, transfer: FintocTransfer): SentTransfer {
  const other = otherThan(recorded, transfer);
  return other ? unknownFor(other, transfer.id) : { kind: 'sent', transfer };
}

/** Where the transfer that was answered is not the one that is recorded; null where it is. */
export function otherThan({ kind, ref, money }: RecordedTransfer, transfer: FintocTransfer): Differs | null {
  const { amount, currency, metadata, direction } = transfer;
  const reference = direction === 'outbound' && metadata?.kind === kind ? metadata.reference : undefined;
  return differs({ ref, money }, { ref: reference ?? '', amount, currency });
}
