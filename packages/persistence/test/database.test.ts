import { defineEntity, p } from '@mikro-orm/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { createTestDatabase, type TestDatabase, silentLogger } from '@gateway/test-kit';
import { loggedError } from '@gateway/runtime';
import { classifyFailure } from '@gateway/messaging';
import { openDatabase } from '#src/database.ts';
import { kitMigrations } from '#src/kit-migrations.ts';
import { RowArrays } from '#src/row-arrays.ts';
import { violatedConstraint } from '#src/violated-constraint.ts';

const Coin = defineEntity({
  name: 'Coin',
  tableName: 'coin',
  properties: {
    id: p.string().primary(),
    worth: p.bigint('number'),
    mintedAt: p.datetime(),
    tags: p.json<Record<string, string>>(),
  },
});

const migrations = [
  ...kitMigrations,
  {
    name: '0001-coin',
    sql: `create table coin (id text primary key, worth bigint not null constraint coin_worth_positive check (worth > 0),
          minted_at timestamptz not null, tags jsonb not null default '{"what?": "it''s"}')`,
  },
];

let test1: TestDatabase;
beforeAll(async () => {
  test1 = await createTestDatabase('kit', { entities: [Coin], migrations });
});
afterAll(async () => test1[Symbol.asyncDispose]());

describe('a transaction', () => {
  test('commits entities and plain SQL together, with numbers and dates as such', async () => {
    const { database } = test1;
    const mintedAt = new Date('2026-01-02T03:04:05.678Z');
    await database.transaction(async (tx) => {
      tx.em.create(Coin, { id: 'a', worth: 9_007_199_254_740_991, mintedAt, tags: { a: 'b' } });
      await tx.em.flush();
      await tx.sql('update coin set worth = worth - $1 where id = $2', [1, 'a']);
    });
    expect(await database.query('select worth, minted_at from coin where id = $1', ['a'])).toEqual([
      { worth: 9_007_199_254_740_990, minted_at: mintedAt },
    ]);
    const coin = await database.reader().findOneOrFail(Coin, 'a');
    expect(coin).toMatchObject({ worth: 9_007_199_254_740_990, mintedAt, tags: { a: 'b' } });
  });

  test('is noticed when it writes and again when it commits, a statement of its own too, and a read is not', async () => {
    const { database } = test1;
    let writes = 0;
    using listening = new DisposableStack();
    listening.use(database.onWrite(() => (writes += 1)));
    await database.query('select id from coin');
    await database.query('with found as (select id from coin) select id from found');
    expect(writes).toBe(0);
    await database.query(`update coin set worth = worth where id = 'none'`);
    await database.query(
      `with gone as (delete from coin where id = 'none' returning id) select id from gone`,
      [],
      'gone',
    );
    expect(writes).toBe(2);
    await database.transaction(async (tx) => {
      tx.em.create(Coin, { id: 'noticed', worth: 1, mintedAt: new Date(), tags: {} });
      await tx.em.flush();
      expect(writes).toBe(3);
    });
    expect(writes).toBe(4);
  });

  test('that throws leaves nothing behind and runs no hook', async () => {
    const { database } = test1;
    let hooked = false;
    const failing = database.transaction(async (tx) => {
      tx.afterCommit(() => (hooked = true));
      tx.em.create(Coin, { id: 'b', worth: 1, mintedAt: new Date(), tags: {} });
      await tx.em.flush();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await database.query('select 1 from coin where id = $1', ['b'])).toEqual([]);
    expect(hooked).toBe(false);
  });

  test('names the constraint a write violates', async () => {
    const failing = test1.database.transaction(async (tx) => {
      await tx.sql(`insert into coin values ('c', 0, now(), '{}')`);
    });
    const error: unknown = await failing.catch((reason: unknown) => reason);
    expect(violatedConstraint(error)).toBe('coin_worth_positive');
    const viaEntity: unknown = await test1.database
      .transaction(async (tx) => {
        tx.em.create(Coin, { id: 'd', worth: -1, mintedAt: new Date(), tags: {} });
      })
      .catch((reason: unknown) => reason);
    expect(violatedConstraint(viaEntity)).toBe('coin_worth_positive');
  });
});

describe('a database', () => {
  test('that refuses a row quotes none of it where the error is logged, and still names the constraint', async () => {
    const { database } = test1;
    const refused = async (work: () => Promise<unknown>) => await work().catch((error: unknown) => error);
    const errors = [
      await refused(() => database.query(`insert into coin values ('12345678909\n    at here', -1, now())`, [])),
      await refused(() => database.query(`select ($1::json ->> 'a')`, ['{"key": 12345678909x}'])),
      await refused(() =>
        database.transaction(async (tx) => {
          tx.em.create(Coin, { id: '12345678909', worth: -1, mintedAt: new Date(), tags: {} });
          await tx.em.flush();
        }),
      ),
    ];
    errors.push(new Error('outer', { cause: errors[2] }), new AggregateError(errors, 'all'));
    const logged = errors.map((error) => JSON.stringify(loggedError(error)));
    const setAside = errors.map((error) => JSON.stringify(classifyFailure(error, 10)));
    for (const line of [...logged, ...setAside]) expect(line).not.toContain('12345678909');
    for (const line of [logged[0], logged[2], logged[3]]) expect(line).toContain('coin_worth_positive');
  });

  test('does not read a number that is not exact', async () => {
    const largest = await test1.database.query('select 9007199254740991::bigint as amount');
    expect(largest).toEqual([{ amount: Number.MAX_SAFE_INTEGER }]);
    await expect(test1.database.query('select 9007199254740992::bigint as amount')).rejects.toThrow(
      'is not a safe integer',
    );
  });

  test('migrates once when several processes open it at the same time', async () => {
    const more = [...migrations, { name: '0002-note', sql: 'create table note (id text); select pg_sleep(0.2)' }];
    const open = () => openDatabase({ url: test1.url, entities: [Coin], migrations: more, logger: silentLogger });
    const opened = await Promise.all([open(), open(), open(), open()]);
    await Promise.all(opened.map((database) => database[Symbol.asyncDispose]()));
    expect(await test1.database.query('select name from migration order by name')).toHaveLength(more.length);
  });

  test('that went away is SERVICE_UNAVAILABLE, not a bug', async () => {
    const url = new URL(test1.url);
    const database = await openDatabase({ url: test1.url, entities: [], migrations: [], logger: silentLogger });
    await database[Symbol.asyncDispose]();
    url.port = '1';
    const { Pool } = await import('pg');
    const pool = new Pool({ connectionString: url.href });
    const { Database } = await import('#src/index.ts');
    const unreachable = new Database(undefined as never, pool, new Set());
    const error: unknown = await unreachable.query('select 1').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSec: 1 });
    await pool.end();
  });

  test('has all its connections again after each of them was lost within a transaction', async () => {
    const options = { url: test1.url, entities: [], migrations: [], logger: silentLogger, poolMax: 2 };
    await using database = await openDatabase(options);
    for (let lost = 0; lost < 4; lost += 1) {
      const losing = database.transaction((tx) => tx.sql('select pg_terminate_backend(pg_backend_pid())'));
      await expect(losing).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    }
    const working = [1, 2].map((n) => database.transaction((tx) => tx.sql('select $1::int as n', [n])));
    expect(await Promise.all(working)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  });
});

describe('rows as arrays', () => {
  const kinds = ['text', 'bigint', 'integer', 'boolean', 'jsonb', 'timestamptz'] as const;
  const arrays = new RowArrays(kinds.map((kind) => [kind, kind] as const));
  const nothing = { text: null, bigint: null, integer: null, boolean: null, jsonb: null, timestamptz: null };
  const read = (rows: Parameters<typeof arrays.parametersOf>[0]) =>
    test1.database.query(`select * from ${arrays.from(1, 'row')}`, arrays.parametersOf(rows), 'read-arrays');

  test('come as they were sent, with what is null, in any number', async () => {
    const most = {
      text: 'ü "{},\\',
      bigint: Number.MAX_SAFE_INTEGER,
      integer: -7,
      boolean: true,
      jsonb: { é: ['"', 1] },
    };
    const rows = [
      { ...most, timestamptz: new Date('2026-01-02T03:04:05.678Z') },
      nothing,
      {
        ...nothing,
        text: '',
        bigint: Number.MIN_SAFE_INTEGER,
        boolean: false,
        timestamptz: new Date('1999-12-31T23:59:59.999Z'),
      },
    ];
    for (const count of [0, 1, 3]) expect(await read(rows.slice(0, count))).toEqual(rows.slice(0, count));
  });

  test('are refused when a number or a time is none, instead of being written as another one', () => {
    for (const wrong of [{ bigint: 1.5 }, { integer: NaN }, { integer: 2 ** 31 }, { timestamptz: new Date('never') }])
      expect(() => arrays.parametersOf([{ ...nothing, ...wrong }])).toThrow(RangeError);
  });
});
