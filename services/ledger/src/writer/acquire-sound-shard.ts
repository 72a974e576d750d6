import type { Logger } from '@gateway/runtime';
import { ensurePartitions } from '#src/postgres/partitions.ts';
import { postgresTimeMs } from '#src/postgres/postgres-time.ts';
import { shardLabel, type Shard } from '#src/shards.ts';
import { acceptanceFor, noteAcceptedTime, writeIncarnation } from '#src/witnesses/incarnation.ts';
import type { Session } from '#src/writer/session.ts';
import { acquireShard, type ShardLease } from '#src/writer/shard-lease.ts';
import type { ShardWitnesses } from '#src/writer/shard-witnesses.ts';
import type { WriterClock } from '#src/writer/writer-clock.ts';

export interface ShardGround {
  readonly shard: Shard;
  readonly clock: WriterClock;
  readonly witnesses: ShardWitnesses;
  readonly logger: Logger;
}

/**
 * Acquires the shard for a writer whose clock PostgreSQL agrees with, on a chain that its witnesses agree with. Where
 * operators have approved that a chain goes on that lost its end, or that ends in the future, it begins with the link that says
 * so.
 *
 * @throws ClockError
 * @throws LedgerBehindError
 */
export async function acquireSoundShard(
  session: Session,
  { shard, clock, witnesses, logger }: ShardGround,
  signal: AbortSignal,
): Promise<ShardLease> {
  // A process with a wrong clock must not acquire the shard. It is checked again below: waiting may have taken days.
  await compareClocks(session, clock);
  const lease = await acquireShard(session, shard, signal);
  const { head } = lease.state;
  const postgresMs = await compareClocks(session, clock);
  const isAhead = head.decidedAtMs - postgresMs > clock.limitMs;
  if (isAhead) {
    clock.requirePast(head.decidedAtMs, postgresMs, await noteAcceptedTime(shard, session));
    await ensurePartitions((script) => session.query(script), head.decidedAtMs);
  }
  await ensurePartitions((script) => session.query(script), postgresMs);
  const incarnation =
    (await witnesses.hear(session, signal)) ?? (isAhead ? await acceptanceFor(shard, session) : undefined);
  if (!incarnation) return lease;
  const decidedAtMs = Math.max(head.decidedAtMs + 1, clock.now());
  await writeIncarnation(session, shard, incarnation, { epoch: lease.epoch, decidedAtMs });
  logger.warn({ shard: shardLabel(shard), number: incarnation.number }, 'operators have let the chain go on');
  return await acquireShard(session, shard, signal);
}

/** @throws ClockError */
async function compareClocks(session: Session, clock: WriterClock): Promise<number> {
  const askedMs = clock.now();
  const postgresMs = await postgresTimeMs(session);
  clock.compare(askedMs, postgresMs);
  return postgresMs;
}
