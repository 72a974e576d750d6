import type { MoneyRecord, MoneyRecordPlace } from '@gateway/contracts/ledger';
import type { ItemKind } from '@gateway/contracts/reconciler';
import type { Environment } from '@gateway/contracts/values';
import { idLowerBound, type IdKind } from '@gateway/money';
import { type Fact, factColumns } from '#src/matching/items.ts';
import { subjectOfRecord } from '#src/matching/kinds.ts';
import { recordsOf } from '#src/sides/ledger-facts.ts';
import type { SidesDependencies } from '#src/sides/read-ledger.ts';
import { factsOfRecord } from '#src/sides/record-facts.ts';
import { boundsOf, type RollingReading } from '#src/sides/rolling-reading.ts';

/** What records of a kind of id have stated of one kind of movement. */
interface StatedList {
  readonly environment: Environment;
  readonly stated: ItemKind;
  readonly ids: IdKind;
}

/** Whose ids facts of each kind have; money without a deposit has the id of the refund that sends it back. */
export const statedKinds: readonly Omit<StatedList, 'environment'>[] = [
  { stated: 'payment', ids: 'deposit' },
  { stated: 'refunded', ids: 'deposit' },
  { stated: 'payment', ids: 'refund' },
  { stated: 'refund', ids: 'refund' },
  { stated: 'clearing', ids: 'refund' },
  { stated: 'dispute_return', ids: 'dispute' },
  { stated: 'dispute_overturn', ids: 'dispute' },
  { stated: 'clearing', ids: 'dispute' },
  { stated: 'payout', ids: 'payout' },
  { stated: 'payout_return', ids: 'payout' },
  { stated: 'clearing', ids: 'payout' },
];

const pageFacts = 500;

/** A page of the primary key, with those that say nothing already: without them one page might read as far as the last record. */
const statedSql = `
  select ${factColumns.selectedFrom('fact')} from fact
  where environment = $1 and side = 'R' and key > $2 and key >= $3 and key < $4 and kind = $5
  order by key limit ${pageFacts}`;

interface SilentPage {
  readonly facts: Fact[];
  readonly next: MoneyRecordPlace | null;
}

/**
 * A page of what records have stated once, and state no more: the record is gone, or its row was set back to where it has moved
 * nothing yet. What they have not stated since is nothing. No list of records has them.
 */
export async function readSilent(
  { database, sources, now }: SidesDependencies,
  { environment, stated, ids }: StatedList,
  from: RollingReading<MoneyRecordPlace>,
): Promise<SilentPage> {
  const readAtMs = now().getTime();
  const first = idLowerBound(ids, 0);
  const bounds = boundsOf(from, ids);
  const [lower, upper] = [bounds.from ?? first, bounds.below ?? first.replace(/_.*/, '_zzzz')];
  const page = await database.query<Fact>(statedSql, [
    ...[environment, from.after?.id ?? '', subjectOfRecord(stated, lower), subjectOfRecord(stated, upper), stated],
  ]);
  const last = page.length === pageFacts ? page.at(-1) : undefined;
  const facts = page.filter(({ amount }) => amount !== 0);
  const next = last ? { accountId: last.accountId ?? '', id: last.key } : null;
  if (facts.length === 0) return { facts: [], next };
  const records = await sources.records(environment, recordsOf(facts));
  const again = new Set(
    records.flatMap((record) => factsOfRecord(environment, record, readAtMs)).map(({ key }) => key),
  );
  const unsaid = new Set(records.filter(saysNoOverturn).map(({ id }) => id));
  const silent = facts.filter(({ key, recordId }) => !again.has(key) && !unsaid.has(recordId ?? ''));
  return { facts: silent.map((fact) => ({ ...fact, amount: 0, revision: readAtMs })), next };
}

/** What came back of it, and had gone, is known by the ledger's decision alone (`factsOfOverturns`). */
function saysNoOverturn({ kind, state, overturned }: MoneyRecord): boolean {
  return kind === 'dispute' && state === 'WON' && overturned === null;
}
