import { hostname } from 'node:os';
import type { LedgerWriter } from '@gateway/contracts/ledger';
import type { Bus } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { shardLabel, shards, type Shard } from '#src/shards.ts';
import { writerLock } from '#src/writer/shard-lease.ts';

/** PostgreSQL cuts longer names of a session. */
const nameLengthMax = 63;

/**
 * What the session of a shard's writer is called in PostgreSQL, which shows it for exactly as long as the session lives:
 * `writer live.0 1767348000 <host>:<process>`, with `-` in the place of the time until it decides.
 *
 * @param sinceSec Unix seconds
 */
export function sessionName(shard: Shard, sinceSec: number | null): string {
  const name = `writer ${shardLabel(shard)} ${sinceSec ?? '-'} `;
  // Of a long name the end differs between replicas.
  return `${name}${`${hostname()}:${process.pid}`.slice(name.length - nameLengthMax)}`;
}

const namePattern = /^writer \S+ (\d+|-) (.+)$/;

/** The two parameters of a lock are its class and its object; the last of the three is 2 for a lock of two. */
const sessionsSql = `
  select s.stream_sequence as position, holder.name as holder,
         (select count(*)::int from pg_stat_activity a
           where a.datname = current_database() and starts_with(a.application_name, $4)
             and a.pid is distinct from holder.pid) as standbys
    from shard s left join lateral (
      select a.pid, a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and l.granted and l.classid = $5::oid and l.objid = $3::oid and l.objsubid = 2
         and a.datname = current_database()
    ) holder on true
   where s.environment = $1 and s.shard = $2`;

interface SessionsRow {
  readonly position: number;
  readonly holder: string | null;
  readonly standbys: number;
}

/** Who writes each shard, who would take over, and how many commands wait for it. */
export async function readWriters(database: Database, { manager }: Pick<Bus, 'manager'>): Promise<LedgerWriter[]> {
  return await Promise.all(
    shards.map(async (shard) => {
      const { environment, shard: number, stream } = shard;
      const [[row], stored] = await Promise.all([
        database.query<SessionsRow>(sessionsSql, [
          ...[environment, number, writerLock.objectOf(shard)],
          ...[`writer ${shardLabel(shard)} `, writerLock.class],
        ]),
        manager.streams.info(stream.name).catch(() => undefined),
      ]);
      // A session of an earlier version has a name that says neither.
      const [, since = '-', writer = row?.holder ?? null] = namePattern.exec(row?.holder ?? '') ?? [];
      const waiting = stored && row ? Math.max(0, stored.state.last_seq - row.position) : null;
      const held = { writer, since: since === '-' ? null : Number(since), standbys: row?.standbys ?? 0 };
      return { environment, shard: number, ...held, waiting };
    }),
  );
}
