import { idLowerBound, idTimeMs, isId } from '@gateway/money';
import type { Snapshot } from '#src/chain/snapshot.ts';
import type { ShardName } from '#src/shards.ts';

/** A link by its number and time. */
export interface Edge {
  readonly sequence: number;
  /** Unix milliseconds. */
  readonly decidedAtMs: number;
}

/** Links that were recomputed: those behind `from`, up to `through` or the end of the chain. */
export interface Stretch {
  readonly from: Edge;
  readonly through?: Edge | undefined;
  /** How many entries they have together. */
  readonly entries: number;
}

/** Behind every id of an entry. */
const behindAll = 'led_~';
const pageEntries = 1_000;

/**
 * The entries of a stretch's time. Links of one millisecond may be on both sides of an edge: an entry of that millisecond
 * belongs to the stretch of its number.
 */
const ofStretch = `e.environment = $1 and e.id >= $3 and e.id < $4
  and not (e.shard = $2 and e.sequence <= $5 and e.id < $6) and not (e.shard = $2 and e.sequence > $7 and e.id >= $8)`;
const countSql = `select count(*) as count from entry e where ${ofStretch}`;

const pageSql = `
  select e.id, round(extract(epoch from r.decided_at) * 1000)::bigint as "decidedAtMs"
  from entry e left join result r on r.environment = e.environment and r.shard = e.shard and r.sequence = e.sequence
    and e.shard = $2 and e.sequence > $5 and e.sequence <= $7
  where ${ofStretch} and e.id > $9 order by e.id limit $10`;

/**
 * An entry that is in no link of its time: its result is not there, or is one of another time. A merchant would see it in a
 * statement, although no decision has it. The walk over the links reads the entries of their own times alone, so that
 * they are counted here.
 *
 * @returns its id; undefined where there is none
 */
export async function findStrayEntry(
  snapshot: Snapshot,
  { environment, shard }: ShardName,
  { from, through, entries }: Stretch,
): Promise<string | undefined> {
  const idAt = (ms: number) => idLowerBound('ledgerEntry', ms);
  const params = [
    ...[environment, shard, idAt(from.decidedAtMs), through ? idAt(through.decidedAtMs + 1) : behindAll],
    ...[from.sequence, idAt(from.decidedAtMs + 1)],
    ...[through?.sequence ?? Number.MAX_SAFE_INTEGER, through ? idAt(through.decidedAtMs) : behindAll],
  ];
  const [counted] = await snapshot.query<{ count: number }>(countSql, params);
  if (counted?.count === entries) return undefined;
  for (let after = ''; ;) {
    const page = await snapshot.query<{ id: string; decidedAtMs: number | null }>(pageSql, [
      ...params,
      after,
      pageEntries,
    ]);
    const stray = page.find(({ id, decidedAtMs }) => !isId('ledgerEntry', id) || idTimeMs(id) !== decidedAtMs);
    if (stray) return stray.id;
    const last = page.at(-1);
    if (!last) return `(${counted?.count ?? 0} are there, ${entries} have a result)`;
    after = last.id;
  }
}
