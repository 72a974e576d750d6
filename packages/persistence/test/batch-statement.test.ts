import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, silentLogger, type TestDatabase } from '@gateway/test-kit';
import { BatchStatement } from '#src/batch-statement.ts';
import { indexedSessions, openDatabase } from '#src/database.ts';
import { kitMigrations } from '#src/kit-migrations.ts';
import { outboxWake, type Committed } from '#src/outbox-wake.ts';
import { RowArrays } from '#src/row-arrays.ts';

interface Coin {
  readonly id: string;
  readonly worth: number;
}

const minted = new BatchStatement<Coin>({
  arrays: new RowArrays([
    ['id', 'text'],
    ['worth', 'bigint'],
  ]),
  idOf: ({ id }) => id,
  sql: ({ rows, eventsOf }) => `
    with written as (
      insert into coin select id, worth from ${rows('minted')} on conflict do nothing returning id
    ), published as (${eventsOf('written')})
    select id from written`,
});

const eventOf = ({ id, worth }: Coin) => ({ id: `evt-${id}`, subject: 'coin', payload: String(worth), trace: '{}' });

const coinTable = { name: '0001-coin', sql: 'create table coin (id text primary key, worth bigint not null)' };
const migrations = [...kitMigrations, coinTable];
let kit: TestDatabase;
beforeAll(async () => {
  kit = await createTestDatabase('kit', { migrations });
});
afterAll(async () => kit[Symbol.asyncDispose]());

test('a batch writes the event of no row that it did not write, and hands none to the relay', async () => {
  const { database } = kit;
  const handed: string[] = [];
  const listen = ({ rows }: Committed) => void handed.push(...rows.map(({ id }) => id));
  outboxWake.on('committed', listen);
  const batch = (...coins: Coin[]) => coins.map((row) => ({ row, event: eventOf(row) }));
  expect(await minted.write(database, batch({ id: 'a', worth: 1 }))).toEqual([true]);
  const written = await minted.write(database, batch({ id: 'a', worth: 2 }, { id: 'b', worth: 3 }));
  outboxWake.off('committed', listen);
  expect(written).toEqual([false, true]);
  expect(await database.query('select id, payload from outbox order by id')).toEqual([
    { id: 'evt-a', payload: '1' },
    { id: 'evt-b', payload: '3' },
  ]);
  expect(handed).toEqual(['evt-a', 'evt-b']);
});

const changed = new BatchStatement<Coin>({
  name: 'change-coins',
  arrays: new RowArrays([
    ['id', 'text'],
    ['worth', 'bigint'],
  ]),
  idOf: ({ id }) => id,
  sql: ({ rows }) => `
    update coin set worth = changed.worth from ${rows('changed')} where coin.id = changed.id returning coin.id`,
});

test('a prepared statement that writes one row each time is not planned each time', async () => {
  const options = { url: kit.url, entities: [], migrations, logger: silentLogger, sessionSettings: indexedSessions };
  await using database = await openDatabase({ ...options, poolMax: 1 });
  await database.query(`insert into coin values ('often', 1)`);
  for (let worth = 2; worth <= 20; worth++) {
    expect(await changed.write(database, [{ row: { id: 'often', worth } }])).toEqual([true]);
  }
  expect(
    await database.query(
      `select custom_plans::int as planned, generic_plans::int as kept from pg_prepared_statements where name = 'change-coins'`,
    ),
  ).toEqual([{ planned: 5, kept: 14 }]);
});
