import type { z } from 'zod';
import type { ApiVersion, ListOrder } from '@gateway/contracts/values';
import type { Askable, TimedBus } from '@gateway/messaging';
import { secondsOfPeriod, type QueryTime, type VersionedBody } from '@gateway/public-api';
import type { Answer, EndpointNotes } from '#src/http/endpoint.ts';
import { columnsOf, csvStream, type CsvColumn } from '#src/statements/csv.ts';

const jsonMedia = 'application/json; charset=utf-8';
/** Records fetched at once while a list is being written as CSV. */
const csvPageRecords = 200;

/** What the query of every list says; a list that comes in one page has no limit. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string | undefined;
  readonly format?: 'json' | 'csv' | 'accounting' | undefined;
  readonly raw: boolean;
}

/** What the query of a list of a merchant's records says, as `listQuery` has it. */
export interface ListQuery extends PageQuery {
  readonly from?: QueryTime | undefined;
  readonly to?: QueryTime | undefined;
  readonly zone: string;
  readonly order: ListOrder;
}

/** A page as the owner of the records is asked for it. */
export interface PageAsked {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The same of a list that has a period and an order. */
export interface OrderedPageAsked extends PageAsked {
  readonly order: ListOrder;
  readonly from?: number;
  readonly to?: number;
}

export interface PageCall {
  readonly query: PageQuery;
  readonly accept: string | undefined;
}

export interface ListCall extends PageCall {
  readonly query: ListQuery;
}

/** A list, read page by page: records as they are shown, and the id of the last one when there are more. */
interface PagedList<Asked> {
  /** The name of its file. */
  readonly name: string;
  readonly page: (asked: Askable, page: Asked) => Promise<ListPage>;
  /** The page as JSON, where the owner of the records writes it as it is shown. */
  readonly shown?: ((asked: Askable, page: Asked) => Promise<Uint8Array>) | undefined;
}

interface AnsweredList<Asked> extends PagedList<Asked> {
  /** Made for CSV alone. */
  readonly columns: () => readonly CsvColumn[];
  readonly isCsv: boolean;
}

interface RecordList<Asked> extends PagedList<Asked> {
  /** What the records are shown as: its members are the columns. */
  readonly schema: z.ZodType | VersionedBody;
}

export interface ListPage {
  readonly data: readonly object[];
  readonly nextCursor: string | null;
}

/** JSON schemas of a list in other media types than JSON. */
export const csvMedia = { 'text/csv': { type: 'string' } } as const;

/**
 * A page as JSON, or the whole list from the cursor on as CSV. The first page is read before the answer begins, so that
 * what can be refused is refused with its status.
 */
async function answerPages({ query }: PageCall, bus: TimedBus, list: AnsweredList<PageAsked>): Promise<Answer> {
  const { cursor: begin, limit = csvPageRecords } = query;
  if (!list.isCsv && list.shown) {
    const body = await list.shown(bus, { cursor: begin, limit });
    return { status: 200, body, headers: { 'content-type': jsonMedia, vary: 'accept' } };
  }
  if (!list.isCsv) {
    const { data, nextCursor } = await list.page(bus, { cursor: begin, limit });
    const body = { data, next_cursor: nextCursor };
    return { status: 200, body, headers: { vary: 'accept' }, written: { records: data.length } };
  }
  const written = { records: 0 };
  const page = async (by: Askable, cursor: string | undefined) => {
    const { data, nextCursor } = await list.page(by, { cursor, limit: csvPageRecords });
    written.records += data.length;
    return { rows: data, nextCursor };
  };
  const first = await page(bus, begin);
  const whole = { columns: list.columns(), raw: query.raw };
  return {
    status: 200,
    written,
    body: csvStream(whole, first, (cursor) => page(bus.unhurried, cursor)),
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${list.name}.csv"`,
      vary: 'accept',
    },
  };
}

/** A list of a merchant's records, by the period and the order of its query. */
export async function answerList(call: ListCall, bus: TimedBus, list: AnsweredList<OrderedPageAsked>): Promise<Answer> {
  const window = { ...secondsOfPeriod(call.query), order: call.query.order };
  const { page, shown } = list;
  return await answerPages(call, bus, {
    ...list,
    page: (asked, each) => page(asked, { ...window, ...each }),
    shown: shown && ((asked, each) => shown(asked, { ...window, ...each })),
  });
}

/** Records that operators list, or that have no period: a page in the order of the list, or all of them as CSV. */
export async function answerPage(
  call: PageCall,
  bus: TimedBus,
  { schema, ...list }: RecordList<PageAsked>,
): Promise<Answer> {
  return await answerPages(call, bus, { ...list, isCsv: wantsCsv(call), columns: () => columnsOf(schema, '0.1') });
}

/** Records of one kind, as a page or as CSV. */
export async function answerRecords(
  call: ListCall & { readonly apiVersion: ApiVersion },
  bus: TimedBus,
  { schema, ...list }: RecordList<OrderedPageAsked>,
): Promise<Answer> {
  const columns = () => columnsOf(schema, call.apiVersion);
  return await answerList(call, bus, { ...list, isCsv: wantsCsv(call), columns });
}

/** CSV by `format`, or by `Accept`; callers who name both media types get JSON. */
export function wantsCsv({
  query,
  accept,
}: Pick<PageCall, 'accept'> & { readonly query: Pick<PageQuery, 'format'> }): boolean {
  if (query.format !== undefined) return query.format === 'csv';
  return accept !== undefined && /\btext\/csv\b/i.test(accept) && !namesJson(accept);
}

interface ListAsked {
  readonly query?: unknown;
  readonly accept: string | undefined;
}

/** Whether an operation that answers lists, or the statement, is asked for a file, in which nothing is masked. */
export function isAskedAsFile(
  { otherMedia }: Pick<EndpointNotes, 'otherMedia'>,
  { query, accept }: ListAsked,
): boolean {
  if (otherMedia?.['text/csv'] === undefined) return false;
  const { format } = (query ?? {}) as Pick<PageQuery, 'format'>;
  return format === 'accounting' ? !namesJson(accept) : wantsCsv({ query: { format }, accept });
}

export function namesJson(accept: string | undefined): boolean {
  return accept !== undefined && /\bapplication\/json\b/i.test(accept);
}
