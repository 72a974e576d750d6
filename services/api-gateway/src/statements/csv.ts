import { Readable } from 'node:stream';
import { z } from 'zod';
import type { ApiVersion } from '@gateway/contracts/values';
import { isVersioned, type VersionedBody } from '@gateway/public-api';
import { csvCell } from '@gateway/statement-files/write';

/** A column of a list in CSV, and where a record has its value. */
export interface CsvColumn {
  readonly name: string;
  readonly path: readonly string[];
}

export interface CsvPage {
  readonly rows: readonly object[];
  readonly nextCursor: string | null;
}

export interface CsvList {
  readonly columns: readonly CsvColumn[];
  /** Texts as they are: a program reads them. */
  readonly raw: boolean;
}

/**
 * A list of any length in the memory of one page: the next one is read when the receiver has taken the last. When a page
 * cannot be read the stream is cut off, so that a part is never taken for the whole.
 */
export function csvStream(list: CsvList, first: CsvPage, read: (cursor: string) => Promise<CsvPage>): Readable {
  return Readable.from(pagesOfText(list, first, read), { objectMode: false, highWaterMark: 1 });
}

async function* pagesOfText(
  list: CsvList,
  first: CsvPage,
  read: (cursor: string) => Promise<CsvPage>,
): AsyncGenerator<string> {
  let page = first;
  yield `${list.columns.map(({ name }) => name).join(',')}\n${linesOf(list, page)}`;
  while (page.nextCursor !== null) {
    page = await read(page.nextCursor);
    if (page.rows.length > 0) yield linesOf(list, page);
  }
}

function linesOf({ columns, raw }: CsvList, { rows }: CsvPage): string {
  return rows
    .map((row) => `${columns.map(({ path }) => csvCell(path.reduce<unknown>(memberOf, row), raw)).join(',')}\n`)
    .join('');
}

function memberOf(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}

/**
 * The columns of a resource, in the order of its members: those of an object within it are columns of their own
 * (`payer_name`), a list or a map is JSON in one.
 */
export function columnsOf(schema: z.ZodType | VersionedBody, version: ApiVersion): CsvColumn[] {
  const own = isVersioned(schema) ? schema[version] : schema;
  return membersOf(own, []).filter(({ name }) => name !== 'object');
}

function membersOf(schema: z.ZodType, path: readonly string[]): CsvColumn[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodObject) {
    const shape = inner.shape as Readonly<Record<string, z.ZodType>>;
    return Object.entries(shape).flatMap(([name, member]) => membersOf(member, [...path, name]));
  }
  return [{ name: path.join('_'), path }];
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrapped(schema.unwrap() as z.ZodType);
  }
  return schema;
}
