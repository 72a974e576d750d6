import type { MoneyRecordKind, MoneyRecordPlace } from '@gateway/contracts/ledger';
import { environmentSchema, type Environment } from '@gateway/contracts/values';
import { RowArrays, type Tx } from '@gateway/persistence';
import { itemsArrived } from '#src/matching/items-arrived.ts';
import type { Fact } from '#src/matching/items.ts';
import { keptSince, withoutRemoved } from '#src/matching/kept-months.ts';
import { changedFees } from '#src/sides/fee-findings.ts';
import { type Finding, openFindings } from '#src/sides/findings.ts';
import { movePlace, readPlace } from '#src/sides/places.ts';
import type { SidesDependencies } from '#src/sides/read-ledger.ts';
import { readSilent, statedKinds } from '#src/sides/read-silent.ts';
import { factsOfRecord } from '#src/sides/record-facts.ts';
import { behindPage, boundsOf, nextReading, type RollingReading } from '#src/sides/rolling-reading.ts';

const pageRecords = 500;
const kinds: readonly MoneyRecordKind[] = ['payment', 'refund', 'orphan_receipt', 'dispute', 'payout'];

type Reading = RollingReading<MoneyRecordPlace>;

/** What the ids of each kind are. */
const idKinds = {
  payment: 'deposit',
  refund: 'refund',
  orphan_receipt: 'refund',
  dispute: 'dispute',
  payout: 'payout',
} as const;

const name = 'records';

/** Records, and behind them what they have stated once. */
const lists = environmentSchema.options.flatMap((environment) => [
  ...kinds.map((kind) => ({ environment, kind })),
  ...statedKinds.map((stated) => ({ environment, ...stated })),
]);

interface PageRead {
  /** What records say. */
  readonly facts: readonly Fact[];
  readonly findings: readonly Finding[];
  /** Of the records. */
  readonly ids: readonly string[];
  readonly next: MoneyRecordPlace | null;
}

/**
 * Reads records, by and by of all months, and enters those that say something else than when they were read last, or that
 * no decision of the ledger has led to, and then those that say nothing more. What is committed while it goes on is read by its decision, and by the next one.
 *
 * @param environments whose records are read; a reading that has come to another one waits
 * @returns whether there is more
 */
export async function readRecordPage(
  dependencies: SidesDependencies,
  environments: readonly Environment[] = environmentSchema.options,
): Promise<boolean> {
  const { database, now } = dependencies;
  const from = await readPlace<Reading>(database, name);
  const list = from && lists[from.list];
  if (!from || !list || !environments.includes(list.environment)) return false;
  const { facts, findings, ids, next } =
    'stated' in list
      ? { ...(await readSilent(dependencies, list, from)), findings: [], ids: [] }
      : await readPage(dependencies, list, from);
  const to = behindPage(from, { lists: lists.length, next, ids });
  await database.transaction(async (tx) => {
    await movePlace(tx, { name, from, to });
    await enterChanged(tx, facts, now());
    await openFindings(tx, findings, now());
  });
  return true;
}

async function readPage(
  { database, sources, now }: SidesDependencies,
  list: { readonly environment: Environment; readonly kind: MoneyRecordKind },
  from: Reading,
): Promise<PageRead> {
  const readAtMs = now().getTime();
  const bounds = boundsOf(from, idKinds[list.kind]);
  const { records, next } = await sources.recordPage({ ...list, after: from.after, limit: pageRecords, ids: bounds });
  const facts = records.flatMap((record) => factsOfRecord(list.environment, record, readAtMs));
  const findings = await changedFees(database, list.environment, records);
  return { facts, findings, ids: records.map(({ id }) => id), next };
}

/** Begins a reading, unless one is under way or has begun since. */
export async function beginReadingRecords({ database, now }: SidesDependencies, since: Date): Promise<void> {
  const from = await readPlace<Reading>(database, name);
  const keptFrom = await keptSince(database);
  const to = nextReading(from, { lists: lists.length, since, now: now(), keptFrom });
  if (to) await database.transaction(async (tx) => await movePlace(tx, { name, from, to }));
}

const statedArrays = new RowArrays<keyof Fact>([
  ['environment', 'text'],
  ['key', 'text'],
  ['amount', 'bigint'],
  ['provider', 'text'],
  ['currency', 'text'],
  ['returnId', 'text'],
  ['e2eId', 'text'],
]);

/**
 * Enters what records say that has not been entered so. A record that is read again and says the same costs one probe of
 * an index and no row.
 */
export async function enterChanged(tx: Tx, facts: readonly Fact[], now: Date): Promise<number> {
  if (facts.length === 0) return 0;
  const changed = await tx.sql<{ environment: Environment; key: string }>(
    `select stated.environment, stated.key from ${statedArrays.from(1, 'stated')} left join lateral (
       select * from fact where environment = stated.environment and side = 'R' and key = stated.key offset 0
     ) fact on true
     where (fact.amount, fact.provider, fact.currency, fact.return_id, fact.e2e_id)
       is distinct from (stated.amount, stated.provider, stated.currency, stated."returnId", stated."e2eId")`,
    statedArrays.parametersOf(facts),
  );
  const keys = new Set(changed.map(({ environment, key }) => `${environment} ${key}`));
  const others = await withoutRemoved(
    tx,
    facts.filter(({ environment, key }) => keys.has(`${environment} ${key}`)),
  );
  if (others.length > 0) await itemsArrived(tx, { facts: others }, now);
  return others.length;
}
