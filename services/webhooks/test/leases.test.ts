import { hostname } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { kitMigrations } from '@gateway/persistence';
import { createTestDatabase, silentLogger } from '@gateway/test-kit';
import { keepPartitions } from '#src/deliveries/retention.ts';
import { Endpoint } from '#src/endpoints/endpoint.ts';
import { migrations } from '#src/migrations/index.ts';
import { claimDeliveries } from '#src/queue/claim.ts';
import { deliveryState, type DeliveryJob, type FinishedJob } from '#src/queue/delivery-job.ts';
import { endLeasesOfDeadProcesses, expireLeases, LeaseTokens } from '#src/queue/leases.ts';
import { preparedTransaction } from '#src/queue/prepared-transaction.ts';
import { recordOutcomes } from '#src/queue/record-outcomes.ts';

let stage: Awaited<ReturnType<typeof createTestDatabase>>;
const parts = new AsyncDisposableStack();
beforeAll(async () => {
  const schema = { entities: [Endpoint], migrations: [...kitMigrations, ...migrations] };
  stage = parts.use(await createTestDatabase('webhooks', schema));
  parts.use(await keepPartitions(stage.database, silentLogger));
});
afterAll(() => parts.disposeAsync());

/** With two due deliveries each. */
const endpoints = 20;
beforeEach(async () => {
  const { database } = stage;
  await database.query('truncate endpoint_queue, delivery');
  await database.query(
    `insert into endpoint_queue (endpoint_id, owner, ready_at, cap)
     select 'whk_' || n, 'live acc_' || n, now() - interval '1 minute', 8 from generate_series(1, $1) as n`,
    [endpoints],
  );
  await database.query(
    `insert into delivery (endpoint_id, id, event_id, format, data_id, event, due_at, created_at, expires_at)
     select 'whk_' || n, 'dlv_' || n || '_' || k, 'evt_' || k, 'native-0.1', 'dep_' || k, 'deposit.paid',
            now() - interval '1 minute', now(), now() + interval '1 day'
       from generate_series(1, $1) as n, generate_series(1, 2) as k`,
    [endpoints],
  );
});

async function claim(leaseToken: string): Promise<readonly DeliveryJob[]> {
  const { database } = stage;
  return (await claimDeliveries({ database, leaseToken, pool: 'fast', limit: 256 })).jobs;
}

const record = (finished: readonly FinishedJob[]) =>
  recordOutcomes({ database: stage.database, replica: 'test', random: Math.random }, finished);

const failed = (job: DeliveryJob): FinishedJob => ({ job, outcome: { kind: 'skipped', reason: 'endpoint_deleted' } });

const inflight = async () =>
  (await stage.database.query<{ inflight: number }>('select inflight from endpoint_queue order by endpoint_id')).map(
    (queue) => queue.inflight,
  );

const states = async () =>
  (await stage.database.query<{ state: number }>('select state from delivery')).map(({ state }) => state);

const endAll = () =>
  stage.database.query(`update delivery set lease_until = now() - interval '1 second' where state = 1`);

describe('an outcome that comes after its lease has ended', () => {
  test('decides nothing, and frees no lease that another process has taken since', async () => {
    const late = await claim('here:1/first');
    await endAll();
    await expireLeases(stage.database);
    const now = await claim('there:2/second');
    expect(now).toHaveLength(2 * endpoints);
    await record(late.map(failed));
    expect(new Set(await states())).toEqual(new Set([deliveryState.leased]));
    expect(await inflight()).toEqual(Array.from({ length: endpoints }, () => 2));
    await record(now.map(failed));
    expect(new Set(await states())).toEqual(new Set([deliveryState.failed]));
    expect(await inflight()).toEqual(Array.from({ length: endpoints }, () => 0));
  });

  test('frees no lease twice when the lease was given back and not taken again', async () => {
    const late = await claim('here:1/first');
    await endAll();
    await expireLeases(stage.database);
    await record(late.map(failed));
    expect(new Set(await states())).toEqual(new Set([deliveryState.waiting]));
    expect(await inflight()).toEqual(Array.from({ length: endpoints }, () => 0));
  });

  test('cannot be mistaken for the next one of a process: no two leases have the same name', () => {
    const tokens = [new LeaseTokens('here:1'), new LeaseTokens('here:1')].flatMap((each) => [each.next(), each.next()]);
    expect(new Set(tokens).size).toBe(4);
  });
});

describe('a process that starts', () => {
  const replica = `${hostname()}:${process.pid}`;
  const ended = async () => {
    await endLeasesOfDeadProcesses(stage.database, replica);
    const [row] = await stage.database.query<{ count: number }>(
      'select count(*) as count from delivery where state = 1 and lease_until < now()',
    );
    return row?.count;
  };

  test('ends the leases of an earlier one that had its number, as processes of containers have', async () => {
    await claim(`${replica}/earlier-0`);
    expect(await ended()).toBe(2 * endpoints);
  });

  test('leaves the leases of its own and of other hosts alone', async () => {
    await claim(new LeaseTokens(replica).next());
    expect(await ended()).toBe(0);
    await stage.database.query(`update delivery set lease_owner = 'elsewhere:1/x-0'`);
    expect(await ended()).toBe(0);
  });
});

test('a statement that was planned for two dozen rows looks up every row by its key', async () => {
  await record((await claim('here:1/first')).map(failed));
  await stage.database.query('analyze delivery, endpoint_queue');
  const plans = await preparedTransaction(stage.database, { durable: false }, async (tx) => {
    const prepared = await tx.sql<{ name: string; parameters: number }>(
      `select name, cardinality(parameter_types) as parameters from pg_prepared_statements
        where name in ('webhooks-claim-queues', 'webhooks-claim-deliveries', 'webhooks-claim-update',
                       'webhooks-lock-queues', 'webhooks-release-leases', 'webhooks-save-queues')`,
    );
    expect(prepared).toHaveLength(6);
    const explained = [];
    for (const { name, parameters } of prepared) {
      const nulls = Array.from({ length: parameters }, () => 'null').join(', ');
      const lines = await tx.sql<{ 'QUERY PLAN': string }>(`explain execute "${name}" (${nulls})`);
      explained.push(...lines.map((line) => line['QUERY PLAN']));
    }
    return explained;
  });
  expect(plans.filter((line) => /Seq Scan|Hash Join|Merge Join/.test(line))).toEqual([]);
  const lookups = plans.flatMap((line, index) =>
    /using (delivery|endpoint_queue)_pkey/.test(line) ? [plans[index + 1] ?? ''] : [],
  );
  expect(lookups.length).toBeGreaterThanOrEqual(5);
  expect(lookups.filter((line) => !line.includes('Index Cond'))).toEqual([]);
});
