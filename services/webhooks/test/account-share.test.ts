import { afterAll, beforeAll, expect, test } from 'vitest';
import { kitMigrations } from '@gateway/persistence';
import { createTestDatabase } from '@gateway/test-kit';
import { Endpoint } from '#src/endpoints/endpoint.ts';
import { claimDeliveries, readyPools } from '#src/queue/claim.ts';
import { migrations } from '#src/migrations/index.ts';

type Stage = Awaited<ReturnType<typeof createTestDatabase>>;
let stage: Stage;
beforeAll(async () => {
  const schema = { entities: [Endpoint], migrations: [...kitMigrations, ...migrations] };
  stage = await createTestDatabase('webhooks', schema);
  // A hundred endpoints of one account that are due for longer than the one of another.
  await stage.database.query(
    `insert into endpoint (environment, account_id, id, kind, name, url, events, status, api_version, created_at)
     select 'live', case when n <= 100 then 'acc_many' else 'acc_one' end, 'whk_' || n, 'callback', 'callback',
            'https://h' || n || '.example', '[]', 'enabled', '0.1', now() from generate_series(1, 101) as n`,
  );
  await stage.database.query(
    `insert into endpoint_queue (endpoint_id, owner, ready_at)
     select id, environment || ' ' || account_id, now() - case account_id when 'acc_many' then interval '1 hour' else interval '1 second' end
       from endpoint`,
  );
  await stage.database.query(
    `insert into delivery (endpoint_id, id, event_id, format, data_id, event, due_at, created_at, expires_at)
     select id, 'dlv_' || id, 'evt_' || id, 'native-0.1', 'dep_' || id, 'deposit.paid', now() - interval '1 second', now(),
            now() + interval '1 day' from endpoint`,
  );
});
afterAll(async () => stage[Symbol.asyncDispose]());

const claim = (accountsAtShare: string[] = []) =>
  claimDeliveries({
    database: stage.database,
    leaseToken: 'test:1/1',
    pool: 'fast',
    limit: 64,
    accountsAtShare,
  });

test('an account with a hundred endpoints has eight of them in one claim, and another account comes in the same one', async () => {
  const { jobs, more } = await claim();
  const owners = Map.groupBy(jobs, ({ accountKey }) => accountKey);
  expect(owners.get('live acc_many')).toHaveLength(8);
  expect(owners.get('live acc_one')).toHaveLength(1);
  expect(more).toBe(true);
});

test('of an account that has its share of the calls under way nothing is claimed', async () => {
  expect((await claim(['live acc_many'])).jobs).toEqual([]);
  expect((await claim()).jobs.map(({ accountKey }) => accountKey)).toContain('live acc_many');
});

test('a claim is made for a pool only while a queue of another account than those at their share is ready in it', async () => {
  const { database } = stage;
  const atShare = (fast: string[]) => readyPools(database, { fast, suspect: [] });
  expect(await atShare([])).toEqual(['fast']);
  expect(await atShare(['live acc_many', 'live acc_one'])).toEqual([]);
  await database.query(`update endpoint_queue set suspect = true where owner = 'live acc_many'`);
  await database.query(`update endpoint_queue set ready_at = 'infinity' where not suspect`);
  expect(await atShare([])).toEqual(['suspect']);
  await database.query('update endpoint_queue set halted = true');
  expect(await atShare([])).toEqual([]);
});
