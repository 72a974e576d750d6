import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@gateway/persistence';
import { lockAllMatching } from '#src/matching/lock-matching.ts';
import { isSameMatch } from '#src/matching/match-key.ts';
import { beginAt, type FirstMonth } from '#src/months/first-month.ts';

/** Matches at a time, while nothing else is matched. */
const pageMatches = 500;
/** Between two pages, in which the readers have their turn. */
const pagePauseMs = 50;
const removalLock = 7_471_003;

export interface Removed {
  readonly matches: number;
  readonly facts: number;
  readonly lines: number;
}

/**
 * Removes what was explained before the first month that is kept: matches whose every item is of that time, with their
 * facts and lines. Kept are matches that people have decided about, with all that these saw; what has an item of a later
 * time; lines that settle many, with their parts; and what a later step would be added to: refunds of a deposit, and money
 * that is held. Sums of days, closed days, exceptions and files stay as they are.
 *
 * It may be interrupted at any time and called again. A second process is refused.
 *
 * @throws Error naming what keeps anything from being removed
 */
export async function removeBefore(database: Database, first: FirstMonth): Promise<Removed> {
  const client = await database.pool.connect();
  let isSound = false;
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      removalLock,
    ]);
    if (!rows[0]?.locked) throw new Error('another process is removing months');
    await beginAt(database, first);
    const indexes = indexesOf(first);
    for (const { name, on } of indexes) {
      // One that an interrupted build has left serves no read.
      await client.query(`drop index concurrently if exists ${name}`);
      await client.query(`create index concurrently ${name} on ${on}`);
    }
    const removed = await removePages(database, first);
    for (const { name } of indexes) await client.query(`drop index concurrently ${name}`);
    await client.query('select pg_advisory_unlock($1)', [removalLock]);
    isSound = true;
    return removed;
  } finally {
    // After a failure the lock goes with the session.
    client.release(!isSound);
  }
}

const literalOf = ({ beginsAt }: FirstMonth) => `timestamptz '${beginsAt.toISOString()}'`;

/**
 * Indexes of what is old alone: what arrives is in none of them, and they are dropped again. The tables' own have no
 * time, since an item that comes twice has to be found whatever its month.
 */
function indexesOf(first: FirstMonth) {
  const before = literalOf(first);
  return [
    { name: 'old_match', on: `match (environment, provider, currency, subject) where first_seen_at < ${before}` },
    { name: 'old_fact', on: `fact (environment, subject) where occurred_at < ${before}` },
    { name: 'old_line', on: `line (provider, currency, subject) where booked_at < ${before}` },
  ];
}

/** A page of old matches, and which of them go. */
const pageSql = (before: string) => `
  with old as materialized (
    select environment, provider, currency, subject, kind, state, p_items, p_amount, r_items, r_amount, l_items, l_amount
    from match where first_seen_at < ${before} and (environment, provider, currency, subject) > ($1, $2, $3, $4)
    order by environment, provider, currency, subject limit ${pageMatches}
  ), gone as materialized (
    select environment, provider, currency, subject from old
    where state = 'matched' and kind not in ('batch', 'refunded')
      and (kind <> 'clearing' or (r_amount = 0 and l_amount = 0))
      and r_items + l_items = (select count(*) from fact where fact.occurred_at < ${before} and fact.side in ('R', 'L')
        and (fact.environment, fact.subject) = (old.environment, old.subject)
        and (fact.provider, fact.currency) = (old.provider, old.currency))
      and p_items = (select count(*) from line where line.booked_at < ${before} and line.batch_key is null
        and (line.provider, line.currency, line.subject) = (old.provider, old.currency, old.subject)
        and line.environment = old.environment)
      and not exists (select from exception where ${isSameMatch('exception', 'old')} and state <> 'EXPLAINED')
  ), facts as (
    delete from fact using gone where fact.occurred_at < ${before}
      and (fact.environment, fact.subject) = (gone.environment, gone.subject)
      and (fact.provider, fact.currency) = (gone.provider, gone.currency) returning 1
  ), lines as (
    delete from line using gone where line.booked_at < ${before} and line.environment = gone.environment
      and (line.provider, line.currency, line.subject) = (gone.provider, gone.currency, gone.subject) returning 1
  ), sides as (
    delete from match_side using gone where match_side.subject = gone.subject and ${isSameMatch('match_side', 'gone')}
  ), matches as (
    delete from match using gone where ${isSameMatch('match', 'gone')} returning 1
  )
  select (select count(*) from matches) as matches, (select count(*) from facts) as facts,
    (select count(*) from lines) as lines, last.environment, last.provider, last.currency, last.subject
  from (select * from old order by environment desc, provider desc, currency desc, subject desc limit 1) as last`;

interface Page extends Removed {
  readonly environment: string;
  readonly provider: string;
  readonly currency: string;
  readonly subject: string;
}

async function removePages(database: Database, first: FirstMonth): Promise<Removed> {
  const text = pageSql(literalOf(first));
  const removed = { matches: 0, facts: 0, lines: 0 };
  let after: readonly string[] = ['', '', '', ''];
  for (;;) {
    const page = await database.transaction(async (tx) => {
      await tx.sql(lockAllMatching);
      const [row] = await tx.sql<Page>(text, after);
      return row;
    });
    if (!page) return removed;
    removed.matches += page.matches;
    removed.facts += page.facts;
    removed.lines += page.lines;
    after = [page.environment, page.provider, page.currency, page.subject];
    await sleep(pagePauseMs);
  }
}
