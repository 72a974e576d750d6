import { randomBytes } from 'node:crypto';
import type { Database } from '@gateway/persistence';
import { deliveryState } from '#src/queue/delivery-job.ts';
import { preparedTransaction } from '#src/queue/prepared-transaction.ts';
import { lockQueues } from '#src/queue/queue-table.ts';

const expiredBatchMax = 500;
/** Distinguishes this process from an earlier one with the same number: every process of a container is number 1. */
const processStart = Math.round(performance.timeOrigin).toString(36);
const seriesBytes = 4;

/** Makes the names of this process's leases: `host:pid/start-number`. */
export class LeaseTokens {
  readonly #prefix: string;
  #issued = 0;

  /** @param replica `host:pid` */
  constructor(replica: string) {
    this.#prefix = `${replica}/${processStart}-${randomBytes(seriesBytes).toString('hex')}-`;
  }

  /** A name no other lease has. */
  next(): string {
    return `${this.#prefix}${this.#issued++}`;
  }
}

/**
 * Ends the leases that processes of this host left when they died, so that their deliveries are due now and not when
 * the leases expire. Leases of other hosts are left alone: their holders may be alive.
 *
 * @param replica `host:pid` of this process
 */
export async function endLeasesOfDeadProcesses(database: Database, replica: string): Promise<void> {
  const leases = await database.query<{ token: string }>(
    `select distinct lease_owner as token from delivery where state = ${deliveryState.leased}`,
  );
  const dead = leases.map(({ token }) => token).filter((token) => isOfDeadProcess(token, replica));
  if (dead.length === 0) return;
  await database.query(
    `update delivery set lease_until = now() - interval '1 millisecond'
      where state = ${deliveryState.leased} and lease_owner = any($1)`,
    [dead],
  );
}

function isOfDeadProcess(token: string, replica: string): boolean {
  const slash = token.lastIndexOf('/');
  const holder = token.slice(0, slash);
  if (holder === replica) return !token.startsWith(`${processStart}-`, slash + 1);
  const [host, pid] = partsOf(holder);
  return host === partsOf(replica)[0] && !isRunning(Number(pid));
}

function partsOf(replica: string): [host: string, pid: string] {
  const colon = replica.lastIndexOf(':');
  return [replica.slice(0, colon), replica.slice(colon + 1)];
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Releases deliveries whose holder died between claim and record. They are sent again under the same ids, since it is
 * not known whether the receiver has seen them.
 *
 * @returns true when more may have expired
 */
export async function expireLeases(database: Database): Promise<boolean> {
  return await preparedTransaction(database, { durable: true }, async (tx) => {
    const expired = await tx.sql<{ id: string; endpoint_id: string }>(
      `select id, endpoint_id from delivery
        where state = ${deliveryState.leased} and lease_until < now() order by lease_until limit $1`,
      [expiredBatchMax],
      'webhooks-find-expired-leases',
    );
    if (expired.length === 0) return false;
    const endpointIds = expired.map(({ endpoint_id }) => endpoint_id);
    await lockQueues(tx, endpointIds);
    await tx.sql(giveBackStatement, [endpointIds, expired.map(({ id }) => id)], 'webhooks-give-back-expired');
    return expired.length === expiredBatchMax;
  });
}

/** Looks again whether they have expired: their holder may have recorded them before the queues were locked. */
const giveBackStatement = `
  with given_back as (
    update delivery set state = ${deliveryState.waiting}, lease_owner = null, lease_until = null
     where (endpoint_id, id) in (select * from unnest($1::text[], $2::text[]))
       and state = ${deliveryState.leased} and lease_until < now()
    returning endpoint_id
  ), counted as (
    select endpoint_id, count(*)::smallint as leases from given_back group by endpoint_id
  )
  update endpoint_queue q
     set inflight = greatest(q.inflight - counted.leases, 0), saturated = false,
         ready_at = greatest(q.held_until, least(q.ready_at, now()))
    from counted
   where q.endpoint_id = counted.endpoint_id`;
