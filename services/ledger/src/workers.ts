import type { Bus, Worker } from '@gateway/messaging';
import type { DueWorker } from '@gateway/persistence';
import { closeChapter } from '#src/chapters/close-chapter.ts';
import { stateMonthFiles } from '#src/chapters/month-file.ts';
import type { Config } from '#src/config.ts';
import type { ConversionDependencies } from '#src/conversions/dependencies.ts';
import { finishConversions, forgetQuotes } from '#src/conversions/finish-conversion.ts';
import { lapseDisputes } from '#src/holdings/lapse-disputes.ts';
import { releaseDueDeposits } from '#src/holdings/release-due-deposits.ts';
import { ensurePartitions } from '#src/postgres/partitions.ts';
import { postgresTimeMs } from '#src/postgres/postgres-time.ts';
import { reconcileDaily, type ReconciliationDependencies } from '#src/reconciliation/run-reconciliation.ts';
import type { Shard } from '#src/shards.ts';
import { announceBacklog, announceIntervalMs } from '#src/writer/announce-backlog.ts';
import type { TreasuryVenue } from '#src/treasury/dependencies.ts';
import { runTreasury } from '#src/treasury/run-treasury.ts';
import type { ShardWriter } from '#src/writer/shard-writer.ts';

const partitionIntervalMs = 6 * 3_600_000;
const lapseIntervalMs = 3_600_000;
const chapterIntervalMs = 60_000;
const reconciliationIntervalMs = 60_000;
const conversionIntervalMs = 5_000;
/** While nothing is owed and no order is open, for the comparison with what exchanges hold, once a minute. */
const treasuryIntervalMs = 20_000;
/** Between two rounds that are woken, as looks for due work come: each may ask an exchange, which counts the questions. */
const treasuryApartMs = 1_900;

/** Wakes the treasury for what is due, and not at every look: what it cannot do yet stays due. */
export function wakingTreasury(treasury: { wake(): void }): () => void {
  let wokenAtMs = -Infinity;
  return () => {
    if (performance.now() - wokenAtMs < treasuryApartMs) return;
    wokenAtMs = performance.now();
    treasury.wake();
  };
}

/**
 * Something is owed, an order is under way, or one that has ended is to be looked up again. What is due now is due since
 * ever: by the clock of a machine that is behind, the database's present would be a time to come.
 */
export const treasuryDue = `(select case
    when exists (select from conversion where environment = 'live' and covered_by is null)
      or exists (select from treasury_order where state not in ('LATE', 'DONE')) then to_timestamp(0)
    else (select min(next_at) from treasury_order where state in ('LATE', 'DONE') and next_at is not null) end)`;
const quoteIntervalMs = 3_600_000;

/** What the ledger does by itself, once for the whole service. */
export function workers(dependencies: ConversionDependencies & ReconciliationDependencies, config: Config): Worker[] {
  const { database } = dependencies;
  const makePartitions = async () =>
    await ensurePartitions((script) => database.pool.query(script), await postgresTimeMs(database.pool));
  return [
    { name: 'partitions', intervalMs: partitionIntervalMs, work: makePartitions },
    { name: 'conversions', intervalMs: conversionIntervalMs, work: () => finishConversions(dependencies) },
    { name: 'quotes', intervalMs: quoteIntervalMs, work: () => forgetQuotes(dependencies) },
    {
      name: 'reconciliation',
      intervalMs: reconciliationIntervalMs,
      work: () => reconcileDaily(dependencies, config.RECONCILIATION_HOUR_UTC),
    },
  ];
}

/** Buys what live conversions owe. */
export function treasuryWorkers(
  dependencies: ConversionDependencies,
  venues: readonly TreasuryVenue[],
  config: Config,
): Worker[] {
  if (venues.length === 0) return [];
  const bounds = {
    slippageBps: config.TREASURY_SLIPPAGE_BPS,
    surplusMax: config.TREASURY_SURPLUS_MAX,
    lossMaxBps: config.TREASURY_LOSS_MAX_BPS,
  };
  const treasury = { ...dependencies, venues, gatherMs: config.TREASURY_GATHER_SEC * 1_000, bounds };
  return [{ name: 'treasury', intervalMs: treasuryIntervalMs, work: () => runTreasury(treasury) }];
}

/** What the ledger does for one shard when its time has come. */
export function dueShardWorkers(
  { database, askLedger, now }: ConversionDependencies,
  { environment }: Shard,
): DueWorker[] {
  return [
    {
      name: `releases ${environment}`,
      firstDue: `(select to_timestamp(min(due_at)) from reference
        where environment = '${environment}' and kind = 'deposit' and held > 0)`,
      work: () => releaseDueDeposits(database, askLedger, environment, Math.floor(now() / 1_000)),
    },
  ];
}

/** What the ledger does by itself for one shard. */
export function shardWorkers(
  { database, askLedger, logger, now }: ConversionDependencies,
  { shard, writer, bus }: { readonly shard: Shard; readonly writer: ShardWriter; readonly bus: Bus },
): Worker[] {
  const { environment } = shard;
  const nowSec = () => Math.floor(now() / 1_000);
  const { append } = writer;
  const closeChapters = async () => {
    if (!writer.writing) return;
    await closeChapter({ database, logger, append }, shard);
    await stateMonthFiles((text, params) => database.query(text, params), append, shard);
  };
  return [
    {
      name: 'backlog',
      intervalMs: announceIntervalMs,
      work: async () => announceBacklog(bus, shard, writer.expectedWaitMs()),
    },
    {
      name: 'lapses',
      intervalMs: lapseIntervalMs,
      work: () => lapseDisputes(database, askLedger, environment, nowSec()),
    },
    { name: 'chapters', intervalMs: chapterIntervalMs, work: closeChapters },
  ];
}
