import { hostname } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { kitMigrations } from '@gateway/persistence';
import { createTestDatabase, eventually, silentLogger } from '@gateway/test-kit';
import { continueRecovery } from '#src/deliveries/resend-deliveries.ts';
import { keepPartitions } from '#src/deliveries/retention.ts';
import { Endpoint } from '#src/endpoints/endpoint.ts';
import { migrations } from '#src/migrations/index.ts';
import { claimDeliveries } from '#src/queue/claim.ts';
import { expireWaiting } from '#src/queue/cleanup.ts';
import { deliveryState, type DeliveryJob, type FinishedJob } from '#src/queue/delivery-job.ts';
import { requeue } from '#src/queue/enqueue.ts';
import { enforceHealthPolicy } from '#src/queue/health-policy.ts';
import { endLeasesOfDeadProcesses, expireLeases, LeaseTokens } from '#src/queue/leases.ts';
import { preparedTransaction } from '#src/queue/prepared-transaction.ts';
import { initialQueueState } from '#src/queue/queue-state.ts';
import { recordOutcomes } from '#src/queue/record-outcomes.ts';

let stage: Awaited<ReturnType<typeof createTestDatabase>>;
const parts = new AsyncDisposableStack();
beforeAll(async () => {
  const schema = { entities: [Endpoint], migrations: [...kitMigrations, ...migrations] };
  stage = parts.use(await createTestDatabase('webhooks', schema));
  parts.use(await keepPartitions(stage.database, silentLogger, { live: 30, test: 7 }));
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

  test('that was recorded while leases were being ended stays recorded', async () => {
    await claim('here:1/first');
    await endAll();
    const recording = await stage.database.pool.connect();
    await recording.query('begin; select 1 from endpoint_queue for update');
    const ending = expireLeases(stage.database);
    // It has found the leases, and waits for their queues.
    await eventually(async () =>
      expect(
        await stage.database.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      ).toHaveLength(1),
    );
    await recording.query(`update delivery set state = 2, lease_owner = null, lease_until = null`);
    await recording.query('commit');
    recording.release();
    await ending;
    expect(new Set(await states())).toEqual(new Set([deliveryState.delivered]));
  });

  test('cannot be mistaken for the next one of a process: no two leases have the same name', () => {
    const tokens = [new LeaseTokens('here:1'), new LeaseTokens('here:1')].flatMap((each) => [each.next(), each.next()]);
    expect(new Set(tokens).size).toBe(4);
  });
});

test('a delivery that is under way is not made due by hand: it is not sent by two processes at once', async () => {
  await claim('here:1/first');
  await preparedTransaction(stage.database, { durable: true }, (tx) => requeue(tx, 'whk_1', ['dlv_1_1', 'dlv_1_2']));
  expect(new Set(await states())).toEqual(new Set([deliveryState.leased]));
});

test('what waits in a paused queue is kept for its whole day', async () => {
  const { database } = stage;
  await database.query(`update endpoint_queue set halted = true`);
  await database.query(
    `update delivery set due_at = now() - interval '25 hours', expires_at = now() - interval '1 hour' where id = 'dlv_1_1'`,
  );
  await expireWaiting(database);
  const failedIds = await database.query(`select id from delivery where state = ${deliveryState.failed}`);
  expect(failedIds).toEqual([{ id: 'dlv_1_1' }]);
});

test('a recovery ends: what fails again after it was asked for is left out', async () => {
  const { database } = stage;
  await database.query(
    `insert into event (id, format, environment, account_id, name, data_id, body, trace, created_at)
     select distinct event_id, format, 'live', 'acc_1', event, data_id, '{}'::bytea, '{}'::jsonb, created_at from delivery`,
  );
  await database.query(`update delivery set state = ${deliveryState.failed}, attempted_at = now() where id like '%_1'`);
  await database.query(
    `update delivery set state = ${deliveryState.failed}, attempted_at = now() - interval '1 hour' where id like '%_2'`,
  );
  await database.query(
    `insert into recovery (endpoint_id, since, until, created_at)
     values ('whk_1', now() - interval '1 day', now(), now() - interval '1 minute')`,
  );
  expect(await continueRecovery(database)).toBe(true);
  const waiting = await database.query(`select id from delivery where state = ${deliveryState.waiting}`);
  expect(waiting).toEqual([{ id: 'dlv_1_2' }]);
  expect(await continueRecovery(database)).toBe(false);
});

describe('a claim', () => {
  const claimSuspect = async () =>
    (await claimDeliveries({ database: stage.database, leaseToken: 'here:1/first', pool: 'suspect', limit: 256 })).jobs;

  test('takes of a queue whose breaker is open only what is in its last hour', async () => {
    await stage.database.query(
      `update endpoint_queue set breaker = 'open', suspect = true, held_until = now() + interval '1 hour' where endpoint_id = 'whk_1'`,
    );
    await stage.database.query(`update delivery set expires_at = now() + interval '30 minutes' where id = 'dlv_1_2'`);
    expect((await claimSuspect()).map(({ id }) => id)).toEqual(['dlv_1_2']);
  });

  test('signs with the secret that has taken over, once the overlap of a rotation has ended', async () => {
    await stage.database.query('delete from endpoint');
    await stage.database.query(
      `insert into endpoint (environment, account_id, id, kind, name, url, events, status, api_version, created_at,
         sealed_secret, next_sealed_secret, next_secret_at)
       select 'live', 'acc_1', 'whk_' || n, 'registered', 'shop', 'https://shop.example', '[]', 'enabled', '0.1', now(),
         'old', 'new', now() + (n - 2) * interval '1 hour' from generate_series(1, 3, 2) as n`,
    );
    const jobs = (await claim('here:1/first')).filter(({ sealedSecret }) => sealedSecret !== null);
    const secrets = new Map(jobs.map((job) => [job.endpointId, [job.sealedSecret, job.nextSealedSecret]]));
    expect(Object.fromEntries(secrets)).toEqual({ whk_1: ['new', null], whk_3: ['old', 'new'] });
  });
});

test('a paused endpoint stays paused when its last calls say that it is gone', async () => {
  const { database } = stage;
  await database.query('delete from endpoint');
  await database.query(
    `insert into endpoint (environment, account_id, id, kind, name, url, events, status, api_version, created_at,
       sealed_secret)
     values ('live', 'acc_1', 'whk_1', 'registered', 'shop', 'https://shop.example', '[]', 'paused', '0.1', now(), 'x')`,
  );
  const nowMs = Date.now();
  const gone = { ...initialQueueState(nowMs), goneCount: 3, goneSinceMs: nowMs - 11 * 60_000 };
  await preparedTransaction(database, { durable: true }, (tx) =>
    enforceHealthPolicy(tx, new Map([['whk_1', gone]]), [], nowMs),
  );
  expect(await database.query('select status from endpoint')).toEqual([{ status: 'paused' }]);
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
    await stage.database.query(`update delivery set lease_owner = 'elsewhere:4194305/x-0'`);
    expect(await ended()).toBe(0);
  });
});

/** The plans of the queue's prepared statements, by name, as a connection has them now. */
async function preparedPlans(): Promise<ReadonlyMap<string, readonly string[]>> {
  return await preparedTransaction(stage.database, { durable: false }, async (tx) => {
    const prepared = await tx.sql<{ name: string; parameters: number }>(
      `select name, cardinality(parameter_types) as parameters from pg_prepared_statements
        where name in ('webhooks-claim-queues', 'webhooks-claim-deliveries', 'webhooks-claim-update',
                       'webhooks-lock-states', 'webhooks-release-leases', 'webhooks-save-queues')`,
    );
    const plans = new Map<string, readonly string[]>();
    for (const { name, parameters } of prepared) {
      const nulls = Array.from({ length: parameters }, () => 'null').join(', ');
      const lines = await tx.sql<{ 'QUERY PLAN': string }>(`explain execute "${name}" (${nulls})`);
      plans.set(
        name,
        lines.map((line) => line['QUERY PLAN']),
      );
    }
    return plans;
  });
}

test('a statement that was planned for two dozen rows looks up every row by its key', async () => {
  await record((await claim('here:1/first')).map(failed));
  await stage.database.query('analyze delivery, endpoint_queue');
  const prepared = await preparedPlans();
  expect(prepared.size).toBe(6);
  const plans = [...prepared.values()].flat();
  expect(plans.filter((line) => /Seq Scan|Hash Join|Merge Join/.test(line))).toEqual([]);
  const lookups = plans.flatMap((line, index) =>
    /using (delivery|endpoint_queue)_pkey/.test(line) ? [plans[index + 1] ?? ''] : [],
  );
  expect(lookups.length).toBeGreaterThanOrEqual(5);
  expect(lookups.filter((line) => !line.includes('Index Cond'))).toEqual([]);
});

test('an outcome is recorded by the key of its delivery, however many its endpoint has had, planned before any statistics', async () => {
  await record((await claim('here:1/first')).map(failed));
  const plan = (await preparedPlans()).get('webhooks-release-leases') ?? [];
  const found = plan.findIndex((line) => line.includes('on delivery d') && line.includes('Scan'));
  expect(plan[found]).toContain('delivery_pkey');
  expect(plan[found + 1]).toMatch(/Index Cond: .*endpoint_id = .* AND \(?id = /);
});
