import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { schema } from '#src/schema.ts';

let kit: TestDatabase;
beforeAll(async () => {
  kit = await createTestDatabase('deposits', schema);
});
afterAll(async () => kit[Symbol.asyncDispose]());

test('no index but the primary key begins with the environment, which the planner takes for a key in a young table', async () => {
  const found = await kit.database.query(
    `select index.indexrelid::regclass::text as index from pg_index index
       join pg_attribute first on first.attrelid = index.indrelid and first.attnum = index.indkey[0]
      where first.attname = 'environment' and not index.indisprimary and index.indpred is null
        and index.indrelid::regclass::text not like 'pg_%'`,
  );
  expect(found).toEqual([]);
});

test('whether money counts elsewhere is looked up by its name, also by a session that planned it before there were payments', async () => {
  const client = await kit.database.pool.connect();
  for (const [name, value] of Object.entries(schema.sessionSettings)) await client.query(`set ${name} = ${value}`);
  // Payments without the deposits that they are for; set first, since it makes the session forget its plans.
  await client.query('set session_replication_role = replica');
  const pagesRead = async () => {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: { 'Shared Hit Blocks': number } }[] }>(
      `explain (analyze, buffers, format json) select counts_elsewhere('live', 'efi', 'E-other', 'dep-other')`,
    );
    return rows[0]?.['QUERY PLAN'][0]?.Plan['Shared Hit Blocks'] ?? Number.NaN;
  };
  for (let run = 0; run < 10; run += 1) await pagesRead();
  const planned = await pagesRead();
  await client.query(`insert into payment (environment, provider, e2e_id, account_id, deposit_id, state, currency, amount, fee,
      payer_details, paid_at)
    select 'live', 'efi', 'E-' || nth, 'acc', 'dep-' || nth, 'CREDITED', 'BRL', 100, 1, '{}', now()
      from generate_series(1, 5000) nth`);
  // The depth of an index grows, and nothing else.
  expect((await pagesRead()) - planned).toBeLessThan(20);
  client.release(true);
});
