import { DomainError, ValidationError } from '@gateway/contracts/errors';
import { type BacklogCount, backlogRpc, type ServiceName, serviceNames } from '@gateway/contracts/messages';
import type { Environment } from '@gateway/contracts/values';
import { type Askable, callRpc } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { type Logger, startLoop } from '@gateway/runtime';

/** How often it is counted. */
export const countedEveryMs = 300_000;
/** How soon a service that did not answer is asked again. */
const askAgainMs = 10_000;
const askEveryMs = 60_000;
const answerTimeout = { timeoutMs: 1_000, listenerTimeoutMs: 200 };
/** For how long counts are kept. */
const keptDays = 31;
const dayMs = 86_400_000;
/** What an answer has. */
const slotsMax = 5_000;

interface BacklogDeps {
  readonly bus: Askable;
  readonly database: Database;
}

/** Counts what the services have to work off, every five minutes; whichever gateway is the first. */
export function keepBacklog(deps: BacklogDeps, logger: Logger): AsyncDisposable {
  const work = async () => ((await countBacklog(deps, new Date())) ? askEveryMs : askAgainMs);
  return startLoop({ name: 'count the backlog', intervalMs: askEveryMs, logger, work });
}

/**
 * Asks those services that have not been counted in these five minutes. One that does not answer has no count.
 *
 * @returns whether all are counted
 */
export async function countBacklog({ bus, database }: BacklogDeps, now: Date): Promise<boolean> {
  const at = new Date(Math.floor(now.getTime() / countedEveryMs) * countedEveryMs);
  const counted = await database.query<{ service: ServiceName }>(
    'select distinct service from backlog_count where at = $1',
    [at],
  );
  const missing = serviceNames.filter((name) => counted.every(({ service }) => service !== name));
  const found = await Promise.all(missing.map(async (service) => await askBacklog(bus, service)));
  const rows = found.flat();
  const isWhole = found.every((counts) => counts.length > 0);
  if (rows.length === 0) return isWhole;
  await database.query(
    `insert into backlog_count (at, service, kind, environment, count)
     select $1, service, kind, environment, count
       from unnest($2::text[], $3::text[], $4::text[], $5::bigint[]) as counted (service, kind, environment, count)
     on conflict do nothing`,
    [
      at,
      rows.map(({ service }) => service),
      rows.map(({ kind }) => kind),
      rows.map(({ environment }) => environment ?? 'both'),
      rows.map(({ count }) => count),
    ],
  );
  await database.query('delete from backlog_count where at < $1', [new Date(now.getTime() - keptDays * dayMs)]);
  return isWhole;
}

async function askBacklog(bus: Askable, service: ServiceName): Promise<(BacklogCount & { service: ServiceName })[]> {
  try {
    const { backlog } = await callRpc(bus, backlogRpc(service), {}, answerTimeout);
    return backlog.map((each) => ({ service, ...each }));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [];
  }
}

interface BacklogPeriod {
  readonly environment: Environment;
  /** Unix seconds: counts from the first on and before the second. */
  readonly from: number;
  readonly to: number;
  readonly by: 'hour' | 'day';
  /** An IANA time zone, in which days begin. */
  readonly zone: string;
}

/** What waited in an hour or on a day, of one kind in one service. */
interface BacklogSlot {
  readonly kind: BacklogCount['kind'];
  readonly service: ServiceName;
  /** Unix seconds: the beginning of the hour, or of the day. */
  readonly at: number;
  /** At the moment at which it was most. */
  readonly most: number;
  /** At the last moment at which it was counted. */
  readonly last: number;
}

/**
 * The backlog of a period by the hour or the day, the first of them first, and when it was last counted.
 *
 * @throws ValidationError naming `from` when it would be more than an answer has
 */
export async function readBacklogCounts(
  database: Database,
  { environment, from, to, by, zone }: BacklogPeriod,
): Promise<{ slots: BacklogSlot[]; countedAt: number | null }> {
  const slots = await database.query<BacklogSlot>(
    `select kind, service, extract(epoch from date_trunc($4, at, $5))::bigint as at, max(count)::bigint as most,
            (array_agg(count order by at desc))[1] as last
       from backlog_count
      where environment in ($1, 'both') and at >= to_timestamp($2) and at < to_timestamp($3)
      group by kind, service, date_trunc($4, at, $5) order by 3, 1, 2 limit ${slotsMax + 1}`,
    [environment, from, to, by, zone],
  );
  if (slots.length > slotsMax) throw new ValidationError([{ path: 'from', message: 'must be later, or by a day' }]);
  const [newest] = await database.query<{ at: number | null }>(
    'select extract(epoch from max(at))::bigint as at from backlog_count',
  );
  return { slots, countedAt: newest?.at ?? null };
}
