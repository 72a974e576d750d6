import type { z } from 'zod';
import type { ApiVersion, ListOrder } from '@gateway/contracts/values';
import type { Askable, TimedBus } from '@gateway/messaging';
import { secondsOfPeriod, type QueryTime, type VersionedBody } from '@gateway/public-api';
import type { Answer } from '#src/http/endpoint.ts';
import { columnsOf, csvStream, type CsvColumn } from '#src/statements/csv.ts';

/** Records fetched at once while a list is being written as CSV. */
const csvPageRecords = 200;

/** What the query of a list says, as `listQuery` has it. */
export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly from?: QueryTime | undefined;
  readonly to?: QueryTime | undefined;
  readonly zone: string;
  readonly order: ListOrder;
  readonly format?: 'json' | 'csv' | 'accounting' | undefined;
  readonly raw: boolean;
}

/** A page as the owner of the records is asked for it. */
export interface PageAsked {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly order: ListOrder;
  readonly from?: number;
  readonly to?: number;
}

export interface ListCall {
  readonly query: ListQuery;
  readonly accept: string | undefined;
}

/** A list, read page by page: records as they are shown, and the id of the last one when there are more. */
interface PagedList {
  /** The name of its file. */
  readonly name: string;
  readonly page: (asked: Askable, page: PageAsked) => Promise<ListPage>;
}

export interface AnsweredList extends PagedList {
  readonly columns: readonly CsvColumn[];
  readonly isCsv: boolean;
}

export interface RecordList extends PagedList {
  /** What the records are shown as: its members are the columns. */
  readonly schema: z.ZodType | VersionedBody;
}

interface ListPage {
  readonly data: readonly object[];
  readonly nextCursor: string | null;
}

/** JSON schemas of a list in other media types than JSON. */
export const csvMedia = { 'text/csv': { type: 'string' } } as const;

/**
 * A page as JSON, or the whole list from the cursor on as CSV. The first page is read before the answer begins, so that
 * what can be refused is refused with its status.
 */
export async function answerList({ query }: ListCall, bus: TimedBus, list: AnsweredList): Promise<Answer> {
  const asked = { ...secondsOfPeriod(query), order: query.order, cursor: query.cursor };
  if (!list.isCsv) {
    const { data, nextCursor } = await list.page(bus, { ...asked, limit: query.limit });
    return { status: 200, body: { data, next_cursor: nextCursor }, headers: { vary: 'accept' } };
  }
  const page = async (by: Askable, cursor: string | undefined) => {
    const { data, nextCursor } = await list.page(by, { ...asked, cursor, limit: csvPageRecords });
    return { rows: data, nextCursor };
  };
  const first = await page(bus, query.cursor);
  const whole = { columns: list.columns, raw: query.raw };
  return {
    status: 200,
    body: csvStream(whole, first, (cursor) => page(bus.unhurried, cursor)),
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${list.name}.csv"`,
      vary: 'accept',
    },
  };
}

/** Records of one kind, as a page or as CSV. */
export async function answerRecords(
  call: ListCall & { readonly apiVersion: ApiVersion },
  bus: TimedBus,
  { schema, ...list }: RecordList,
): Promise<Answer> {
  const isCsv = wantsCsv(call);
  return await answerList(call, bus, { ...list, isCsv, columns: isCsv ? columnsOf(schema, call.apiVersion) : [] });
}

/** CSV by `format`, or by `Accept`; callers who name both media types get JSON. */
export function wantsCsv({ query, accept }: ListCall): boolean {
  if (query.format !== undefined) return query.format === 'csv';
  return accept !== undefined && /\btext\/csv\b/i.test(accept) && !namesJson(accept);
}

export function namesJson(accept: string | undefined): boolean {
  return accept !== undefined && /\bapplication\/json\b/i.test(accept);
}
