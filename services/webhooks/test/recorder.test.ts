import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { kitMigrations } from '@gateway/persistence';
import { createTestDatabase, eventually, silentLogger } from '@gateway/test-kit';
import { Endpoint } from '#src/endpoints/endpoint.ts';
import { migrations } from '#src/migrations/index.ts';
import { claimDeliveries } from '#src/queue/claim.ts';
import type { FinishedJob } from '#src/queue/delivery-job.ts';
import { preparedTransaction } from '#src/queue/prepared-transaction.ts';
import { Recorder } from '#src/scheduler/recorder.ts';

let stage: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  stage = await createTestDatabase('recorder', { entities: [Endpoint], migrations: [...kitMigrations, ...migrations] });
});
afterAll(() => stage[Symbol.asyncDispose]());

const deliveries = 4;
beforeEach(async () => {
  await stage.database.query('truncate endpoint_queue, delivery');
  await stage.database.query(
    `insert into endpoint_queue (endpoint_id, owner, ready_at, cap) values ('whk_1', 'live acc_1', now(), 8)`,
  );
  await stage.database.query(
    `insert into delivery (endpoint_id, id, event_id, format, data_id, event, due_at, created_at, expires_at)
     select 'whk_1', 'dlv_' || n, 'evt_' || n, 'native-0.1', 'dep_' || n, 'deposit.paid', now(), now(),
            now() + interval '1 day' from generate_series(1, $1) as n`,
    [deliveries],
  );
});
afterEach(() => vi.useRealTimers());

test('a finished job is recorded at once when no other is under way, and together with those that are', async () => {
  const { database } = stage;
  const { jobs } = await claimDeliveries({ database, leaseToken: 'here:1/a-0', pool: 'fast', limit: deliveries });
  const [first, second, third, fourth] = jobs.map((job): FinishedJob => {
    return { job, outcome: { kind: 'skipped', reason: 'endpoint_deleted' } };
  });
  if (!first || !second || !third || !fourth) throw new Error('the deliveries were not leased');
  const batches: number[] = [];
  const firstEnded = Promise.withResolvers<void>();
  let underWay = 1;
  await using recorder = new Recorder({
    database,
    replica: 'test',
    random: Math.random,
    logger: silentLogger,
    jobsUnderWay: () => underWay,
    onRecorded: () => undefined,
    onEnded: (finished) => {
      batches.push(finished.length);
      if (batches.length > 1) return;
      // From here on no pause ends by itself.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      underWay = 3;
      recorder.record(second);
      firstEnded.resolve();
    },
  });
  recorder.record(first);
  await firstEnded.promise;
  await new Promise(setImmediate);
  recorder.record(third);
  recorder.record(fourth);
  vi.useRealTimers();
  await eventually(() => expect(batches).toEqual([1, 3]));
  const rows = await database.query('select state, inflight from delivery join endpoint_queue using (endpoint_id)');
  expect(rows).toEqual(Array.from({ length: deliveries }, () => ({ state: 3, inflight: 0 })));
});

test('a transaction whose last statement fails writes nothing, though its commit was sent together with it', async () => {
  const { database } = stage;
  const failing = preparedTransaction(database, { durable: true }, async (tx) => {
    await tx.sql('update endpoint_queue set inflight = 7');
    await tx.sqlAndCommit('select 1 / $1::integer', [0], 'webhooks-divide');
  });
  await expect(failing).rejects.toThrow('division by zero');
  expect(await database.query('select inflight from endpoint_queue')).toEqual([{ inflight: 0 }]);
});

test('of statements that are sent together the first that fails is the one that is reported, and none is kept', async () => {
  const { database } = stage;
  const failing = preparedTransaction(database, { durable: true }, (tx) =>
    Promise.all([
      tx.sql('update endpoint_queue set inflight = 7'),
      tx.sql('select 1 / $1::integer', [0], 'webhooks-divide'),
      tx.sql('update endpoint_queue set inflight = 8'),
    ]),
  );
  await expect(failing).rejects.toThrow('division by zero');
  expect(await database.query('select inflight from endpoint_queue')).toEqual([{ inflight: 0 }]);
});
