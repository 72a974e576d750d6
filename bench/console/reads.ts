import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { callApi } from '../environment/merchants.ts';
import { percentile } from '../load/percentile.ts';
import type { Figures, Gate } from '../report/report.ts';
import type { Reader } from './people.ts';

const pageSchema = z.object({ next_cursor: z.string().nullable() });
/** As many as lists of the consoles show. */
const rowsOfPage = 50;
const walkedRows = 200;
const laterPageRatioMax = 1.2;
const pageP95MaxMs = 150;

interface Timed {
  readonly figures: Figures;
  readonly p95Ms: number;
}

/** What pages ask for, one call after the other, as one reader does. */
const reads = [
  {
    what: 'a page of 50 deposits of the grown account',
    path: '/ops/deposits?limit=50&environment=test&account_id={id}',
    atMost: pageP95MaxMs,
  },
  {
    what: 'a page of 50 payouts of all accounts',
    path: '/ops/payouts?limit=50&environment=test',
    atMost: pageP95MaxMs,
  },
  { what: 'search by an external_id', path: '/ops/search?q=copy-4711', atMost: 200 },
  { what: 'a rare status of all deposits', path: '/ops/deposits?limit=50&environment=test&status=FAILED', atMost: 300 },
  { what: 'the overview', path: '/ops/overview', atMost: 250 },
  { what: 'totals of 24 hours by the hour', path: '/ops/totals?environment=test&by=hour&zone=UTC', atMost: 250 },
] as const;

export interface Measured {
  readonly figures: readonly Figures[];
  readonly gates: readonly Gate[];
}

/** Every read, and a page far behind beside the first. */
export async function measureReads(reader: Reader, accountId: string, times: number, pages: number): Promise<Measured> {
  const figures: Figures[] = [];
  const gates: Gate[] = [];
  for (const { what, path, atMost } of reads) {
    const timed = await timesOf(what, times, reader, path.replace('{id}', accountId));
    figures.push(timed.figures);
    gates.push({ what: `${what}, p95`, value: timed.p95Ms, unit: 'ms', atMost });
  }
  const list = `/ops/deposits?environment=test&account_id=${accountId}`;
  const cursor = await cursorBehind(reader, list, pages * rowsOfPage);
  const first = await timesOf('page 1', times, reader, `${list}&limit=${rowsOfPage}`);
  const later = await timesOf(`page ${pages}`, times, reader, `${list}&limit=${rowsOfPage}&cursor=${cursor}`);
  const value = later.figures.p50Ms / first.figures.p50Ms;
  figures.push(first.figures, later.figures);
  gates.push({ what: `page ${pages} over page 1, p50`, value, unit: '×', atMost: laterPageRatioMax });
  return { figures, gates };
}

async function timesOf(what: string, times: number, reader: Reader, path: string): Promise<Timed> {
  const call = { method: 'GET', url: `${reader.origin}${path}`, headers: reader.headers } as const;
  const taken: number[] = [];
  for (let nth = 0; nth < times; nth += 1) {
    const startedAt = performance.now();
    await callApi(call, z.unknown());
    taken.push(performance.now() - startedAt);
  }
  const ascending = Float64Array.from(taken).sort();
  const totalMs = taken.reduce((sum, ms) => sum + ms, 0);
  const [p50Ms, p95Ms, p99Ms] = [0.5, 0.95, 0.99].map((share) => percentile(ascending, share));
  return {
    figures: { what, ratePerSecond: (times * 1_000) / totalMs, p50Ms: p50Ms ?? NaN, p99Ms: p99Ms ?? NaN },
    p95Ms: p95Ms ?? NaN,
  };
}

/** The cursor of the page before which so many rows are. A console's reader goes there page by page. */
async function cursorBehind(reader: Reader, list: string, rows: number): Promise<string> {
  let cursor = '';
  for (let behind = 0; behind < rows; behind += walkedRows) {
    const url = `${reader.origin}${list}&limit=${Math.min(walkedRows, rows - behind)}${cursor}`;
    const page = await callApi({ method: 'GET', url, headers: reader.headers }, pageSchema);
    if (page.next_cursor === null) throw new Error(`the list ends before row ${rows}`);
    cursor = `&cursor=${page.next_cursor}`;
    // As many as one caller may ask for.
    await delay(1);
  }
  return cursor.slice('&cursor='.length);
}
