import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Database } from '@gateway/persistence';
import type { FirstMonth } from '#src/months/first-month.ts';

/** Rows in memory at a time. */
const pageRows = 1_000;

/**
 * Writes the lines of statements that were booked before the first month that is kept, as their provider wrote them: gzip of
 * a JSON object a line, `raw` in hexadecimal digits. Records and ledger can be read again; the statement of a year ago cannot.
 *
 * @returns how many
 */
export async function dumpLines(database: Database, { beginsAt }: FirstMonth, output: Writable): Promise<number> {
  const client = await database.pool.connect();
  let lines = 0;
  async function* pages() {
    for (;;) {
      const { rows } = await client.query<{ line: string }>(`fetch ${pageRows} from old_lines`);
      if (rows.length === 0) return;
      lines += rows.length;
      yield rows.map(({ line }) => `${line}\n`).join('');
    }
  }
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(
      'declare old_lines no scroll cursor for select row_to_json(line)::text as line from line where booked_at < $1',
      [beginsAt],
    );
    await pipeline(Readable.from(pages()), createGzip(), output, { end: false });
    await client.query('commit');
  } finally {
    client.release(true);
  }
  return lines;
}
