import { eventually } from '@gateway/test-kit';
import { rowsOf } from '../../support/rows-of.ts';
import { amountsOfOthers } from '../kinds/poller-flood.ts';
import type { Stage } from '../stage/stage.ts';

/** A payment may wait for its other sides for five minutes; the sweep that opens an exception comes after that. */
const explainedWithinMs = 330_000;

/** What is not explained, a line each; the lines of other customers' money, which no record has, are left out. */
const openSql = `
  select state || ' ' || environment || ' ' || provider || ' ' || subject || ': provider ' || p_amount || ', record '
    || r_amount || ', ledger ' || l_amount as problem
  from match where state in ('waiting', 'unexplained', 'proposed') and subject <> all($1::text[])
    and not (r_items = 0 and l_items = 0 and p_amount = any($2::bigint[]))
  union all
  select 'exception ' || reason || ' ' || environment || ' ' || provider || ' ' || subject || ' ' || amount
  from exception where state in ('OPEN', 'PROPOSED') and subject <> all($1::text[])
    and not (reason = 'line_without_record' and amount = any($2::bigint[]))`;

/** Statements are read up to here, once the reader that follows the present has passed it. */
const unreadSql = `
  select 'the ' || name || ' of ' || provider || ' is read up to ' || from_at as problem from feed
  where from_at <= $1 and lag_sec = (select min(lag_sec) from feed)`;

/**
 * Every line of a provider, record and decision is explained by the other sides, with statements and ledger read up to a
 * moment; what is not when five minutes have passed.
 *
 * @param inFlight payouts of which it is not known yet whether their provider has them
 */
export async function unexplained(stage: Stage, until: Date, inFlight: readonly string[] = []): Promise<string[]> {
  const excepted = inFlight.map((id) => `payout:${id}`);
  let problems: string[] = [];
  const done = async () => {
    problems = await look(stage, until, excepted).catch((error: unknown) => [`reconciler: ${String(error)}`]);
    if (problems.length > 0) throw new Error('not yet');
  };
  await eventually(done, { timeoutMs: explainedWithinMs, everyMs: 1_000 }).catch(() => undefined);
  return problems;
}

async function look({ stack }: Stage, until: Date, excepted: readonly string[]): Promise<string[]> {
  const decided = await rowsOf<{ place: string; sequence: number }>(
    stack.databaseUrls['gateway_ledger'],
    `select 'ledger ' || environment || '.' || shard as place, max(sequence)::int as sequence from result group by 1`,
  );
  const read = await rowsOf<{ name: string; sequence: number }>(
    stack.databaseUrls['gateway_reconciler'],
    `select name, (place ->> 'sequence')::int as sequence from reading where name like 'ledger %'`,
  );
  const places = new Map(read.map(({ name, sequence }) => [name, sequence]));
  const behind = decided
    .filter(({ place, sequence }) => (places.get(place) ?? 0) < sequence)
    .map(({ place, sequence }) => `${place} is read up to ${places.get(place) ?? 0} of ${sequence}`);
  const url = stack.databaseUrls['gateway_reconciler'];
  const unread = await rowsOf<{ problem: string }>(url, unreadSql, [until]);
  const open = await rowsOf<{ problem: string }>(url, openSql, [excepted, amountsOfOthers]);
  return [...behind, ...[...unread, ...open].map(({ problem }) => `reconciler: ${problem}`)];
}

interface InTime {
  readonly inTime: number;
  readonly all: number;
}

/** Of all that a record or the ledger has, how much was explained within five minutes of the moment that a first side had it. */
const inTimeSql = `
  select count(*)::int as "all", (count(*) filter (where matched_at <= first_seen_at + interval '5 minutes'))::int as "inTime"
  from match where r_items + l_items > 0 and (matched_at is not null or first_seen_at < now() - interval '5 minutes')`;

/** As a line of text: `explained within five minutes: 812 of 812, 100 %`. */
export async function explainedInTime({ stack }: Stage): Promise<string> {
  const [{ inTime, all } = { inTime: 0, all: 0 }] = await rowsOf<InTime>(
    stack.databaseUrls['gateway_reconciler'],
    inTimeSql,
  );
  const percent = all === 0 ? 100 : Math.floor((inTime / all) * 100_000) / 1_000;
  return `explained within five minutes: ${inTime} of ${all}, ${percent} %`;
}
