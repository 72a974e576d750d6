import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamPosition } from '#src/consumer/incoming-message.ts';
import type { ShardName } from '#src/shards.ts';
import type { SystemBalance } from '#src/state/balances.ts';
import { LedgerState } from '#src/state/ledger-state.ts';
import { fromReferenceRow, type ReferenceRow } from '#src/state/reference-row.ts';
import type { Session } from '#src/writer/session.ts';

/** The advisory lock of a shard's writer: its class, and the object that stands for the shard. */
export const writerLock = {
  class: 7_470,
  objectOf: ({ environment, shard }: ShardName) => shard * 2 + (environment === 'live' ? 0 : 1),
} as const;
const lockPollIntervalMs = 250;

/** The right to write a shard, from acquiring its lock until the session ends. */
export interface ShardLease {
  /** The fencing token of every write; a later writer has a higher one. */
  readonly epoch: number;
  readonly state: LedgerState;
  /** The last message whose effect is committed. */
  readonly position: StreamPosition;
}

interface ShardRow {
  readonly epoch: number;
  readonly stream_sequence: number;
  readonly stream_time_ms: number;
  readonly head_sequence: number;
  readonly head_hash: string;
  readonly decided_at_ms: number;
  readonly incarnation: number;
}

/**
 * Waits for the shard's lock, which ends with its holder's session. Then it raises the epoch, so that a writer that
 * lost the lock without noticing can no longer write, and loads the state that the writer keeps in memory.
 *
 * @throws when the session ends or the signal aborts
 */
export async function acquireShard(session: Session, shard: ShardName, signal: AbortSignal): Promise<ShardLease> {
  await waitForLock(session, shard, signal);
  const { rows } = await session.query<ShardRow>(
    `update shard set epoch = epoch + 1 where environment = $1 and shard = $2
     returning epoch, stream_sequence, stream_time_ms, head_sequence, encode(head_hash, 'hex') as head_hash,
       decided_at_ms, (select coalesce(max(i.number), 0) from incarnation i join command c
           on c.environment = i.environment and c.id = i.command_id
         where i.environment = $1 and i.shard = $2)::int as incarnation`,
    [shard.environment, shard.shard],
  );
  const [row] = rows;
  if (!row) throw new Error(`shard ${shard.environment}.${shard.shard} does not exist`);
  return {
    epoch: row.epoch,
    state: await loadState(session, shard, row),
    position: { sequence: row.stream_sequence, timeMs: row.stream_time_ms },
  };
}

async function waitForLock(session: Session, shard: ShardName, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { rows } = await session.query<{ acquired: boolean }>('select pg_try_advisory_lock($1, $2) as acquired', [
      writerLock.class,
      writerLock.objectOf(shard),
    ]);
    if (rows[0]?.acquired) return;
    await sleep(lockPollIntervalMs, undefined, { signal });
  }
}

async function loadState(session: Session, { environment, shard }: ShardName, row: ShardRow): Promise<LedgerState> {
  const systems = await session.query<SystemBalance>(
    'select account, currency, amount, version from system_balance where environment = $1 and shard = $2',
    [environment, shard],
  );
  const short = await session.query<ReferenceRow>('select * from reference where environment = $1 and shortfall > 0', [
    environment,
  ]);
  const head = { sequence: row.head_sequence, hash: row.head_hash, decidedAtMs: row.decided_at_ms };
  return new LedgerState(
    head,
    systems.rows,
    short.rows.map(fromReferenceRow).filter((reference) => reference.kind !== 'deposit'),
    row.incarnation,
  );
}
