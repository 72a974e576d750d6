import type { Environment } from '@gateway/contracts/values';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import type { Askable } from '@gateway/messaging';
import { activityAnswerSchema, activityQuerySchema, activityResourceSchema, pageLimitMax } from '@gateway/public-api';
import { askSources } from '#src/operator/ask-sources.ts';
import { type FoundRecord, listedBy } from '#src/operator/found-records.ts';
import { idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { requireAccount } from '#src/operator/require-account.ts';
import { answerPage, csvMedia, type PageAsked, wantsCsv } from '#src/statements/list-answer.ts';

/** The kinds of record that an account has, and the service that keeps each. */
const owners = {
  deposits: 'deposits',
  payouts: 'payouts',
  refunds: 'deposits',
  orphanReceipts: 'deposits',
  disputes: 'deposits',
  conversions: 'ledger',
} as const;
type Kind = keyof typeof owners;
const kinds = Object.keys(owners) as Kind[];

/** Of each kind, the last record that was answered. */
type Place = Readonly<Partial<Record<Kind, string>>>;

export const activityEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts/:id/activity',
    operation: 'listAccountActivity',
    permission: 'records:read',
    summary: 'List what an account has done, of all kinds of record, newest first',
    description:
      'Answers with the deposits, payouts, refunds, receipts without a deposit, disputes and conversions of an account in the ' +
      'order in which they were created. What a service does not answer is missing, and the service is named.',
    query: activityQuerySchema,
    answers: { 200: activityAnswerSchema },
    otherMedia: csvMedia,
    handle: async (call, { bus, database }) => {
      const accountId = idIn(call, 'account');
      await requireAccount(database, accountId);
      const { environment, limit, cursor } = call.query;
      const filter = { accountId, environment };
      if (!wantsCsv(call)) {
        const { data, nextCursor, incomplete } = await readPage(bus, filter, { limit, cursor });
        return { status: 200, body: { data, next_cursor: nextCursor, incomplete }, headers: { vary: 'accept' } };
      }
      const page = async (asked: Askable, each: PageAsked) => requireWhole(await readPage(asked, filter, each));
      return await answerPage(call, bus, { name: 'activity', schema: activityResourceSchema, page });
    },
  }),
];

interface Listed {
  readonly kind: Kind;
  readonly record: FoundRecord;
}

interface Filter {
  readonly accountId: string;
  readonly environment: Environment | undefined;
}

async function readPage(bus: Askable, filter: Filter, { limit, cursor }: PageAsked) {
  const place = cursor === undefined ? {} : placeOf(cursor);
  const { found, isFull, incomplete } = await askAll(bus, filter, place, limit);
  const page = found.slice(0, limit);
  const data = page.map(({ record }) => ({ ...record, amount: record.amount_cents }));
  const hasMore = found.length > limit || isFull;
  return { data, nextCursor: hasMore ? cursorBehind(place, page) : null, incomplete };
}

/** A file has no place to name a service that did not answer. @throws DomainError SERVICE_UNAVAILABLE */
function requireWhole<Page extends { readonly incomplete: readonly string[] }>(page: Page): Page {
  if (page.incomplete.length === 0) return page;
  throw new DomainError('SERVICE_UNAVAILABLE', `${page.incomplete.join(', ')} did not answer`);
}

/** Ids have the order of their creation in all services; a page of each is enough for a page of all. */
async function askAll(bus: Askable, filter: Filter, place: Place, limit: number) {
  const wanted = Math.min(limit + 1, pageLimitMax);
  let isFull = false;
  const sources = kinds.map((kind) => ({
    name: owners[kind],
    read: async () => {
      const records = await listedBy[kind](bus, { ...filter, cursor: place[kind] }, wanted);
      // It cannot be asked for one more than its longest page.
      isFull ||= wanted === limit && records.length === wanted;
      return records.map((record): Listed => ({ kind, record }));
    },
  }));
  const { found, incomplete } = await askSources(sources);
  return { found: found.sort((one, other) => (ulidOf(one) < ulidOf(other) ? 1 : -1)), isFull, incomplete };
}

function ulidOf({ record: { id } }: Listed): string {
  return id.slice(-26);
}

/** `deposits:dep_…,payouts:pyt_…`: where the page ends in each list. */
function cursorBehind(place: Place, page: readonly Listed[]): string {
  const reached = page.reduce<Place>((ends, { kind, record }) => ({ ...ends, [kind]: record.id }), place);
  return kinds.flatMap((kind) => (reached[kind] === undefined ? [] : `${kind}:${reached[kind]}`)).join(',');
}

/** @throws ValidationError for what is no cursor of this list */
function placeOf(cursor: string): Place {
  const parts = cursor.split(',').map((part) => part.split(':'));
  const isPlace = parts.every(([kind = '', id = '', ...rest]) => kind in owners && id !== '' && rest.length === 0);
  if (!isPlace) throw new ValidationError([{ path: 'cursor', message: 'is not the next_cursor of a page' }]);
  return Object.fromEntries(parts) as Place;
}
