import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { RowArrays } from '#src/row-arrays.ts';

const arrays = new RowArrays([
  ['id', 'text'],
  ['worth', 'bigint'],
]);
let kit: TestDatabase;
beforeAll(async () => {
  const coins = { name: '0001-coin', sql: 'create table coin (id text primary key, worth bigint not null)' };
  kit = await createTestDatabase('kit', { migrations: [coins] });
});
afterAll(async () => kit[Symbol.asyncDispose]());

test('a prepared statement over a row or two keeps its plan instead of being planned anew each time', async () => {
  const find = `select asked.id, found.worth from ${arrays.from(1, 'asked')} cross join lateral (
    select worth from coin where coin.id = asked.id offset 0) found`;
  const runs = 10;
  const client = new Client({ connectionString: kit.url });
  await client.connect();
  const values = arrays.parametersOf([{ id: 'a', worth: 1 }]);
  for (let run = 0; run < runs; run += 1) await client.query({ name: 'find-coins', text: find, values });
  const { rows } = await client.query(
    `select generic_plans::int as generic from pg_prepared_statements where name = 'find-coins'`,
  );
  await client.end();
  // PostgreSQL plans the first five with their parameters, to compare.
  expect(rows).toEqual([{ generic: runs - 5 }]);
});

test.each([0, 1, 25])('%s rows arrive whole and in order', async (count) => {
  const rows = Array.from({ length: count }, (_, nth) => ({ id: `row-${nth}`, worth: nth }));
  const read = await kit.database.query(
    `select id, worth::int from ${arrays.from(1, 'row')}`,
    arrays.parametersOf(rows),
  );
  expect(read).toEqual(rows);
});
