import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byProxy, createTestDatabase, silentLogger, type TestDatabase } from '@gateway/test-kit';
import { openDatabase, type Database } from '#src/database.ts';

const coins = { name: '0001-coin', sql: `create table coin (id text primary key); insert into coin values ('held')` };
const unavailable = { code: 'SERVICE_UNAVAILABLE' };

let held: TestDatabase;
beforeAll(async () => {
  held = await createTestDatabase('timed-out', { migrations: [coins] });
});
afterAll(async () => held[Symbol.asyncDispose]());

/** One connection, whose statements time out soon. */
const open = (url = held.url) =>
  openDatabase({ url, entities: [], migrations: [coins], logger: silentLogger, poolMax: 1, queryTimeoutMs: 1_000 });
const backendOf = async (database: Database) => {
  const [row] = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  return row?.pid;
};

describe('the connection of a statement that PostgreSQL is still carrying out when its time is over', () => {
  const update = `update coin set id = 'held' where id = 'held'`;
  test.each<[string, (database: Database) => Promise<unknown>]>([
    ['in a transaction', (database) => database.transaction((tx) => tx.sql(update))],
    ['for reading entities', (database) => database.reader().execute('select id from coin for update')],
    ['on its own', (database) => database.query(update)],
  ])('%s is closed, and the next statement gets another one at once', async (_where, work) => {
    await using database = await open();
    const before = await backendOf(database);
    const holder = await held.database.pool.connect();
    try {
      await holder.query('begin; select from coin for update');
      await expect(work(database)).rejects.toThrow();
      expect(await backendOf(database)).not.toBe(before);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect(await database.query('select id from coin')).toEqual([{ id: 'held' }]);
  });
});

/** What is sent to PostgreSQL while it is stopped arrives afterwards. */
async function stoppableWay(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isStopped = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    sockets.add(client).add(upstream);
    client.pipe(upstream).pipe(client);
    for (const each of [client, upstream]) each.on('error', () => each.destroy()).on('close', () => upstream.end());
    if (isStopped) client.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: byProxy(url, (server.address() as AddressInfo).port),
    stop: () => {
      isStopped = true;
      for (const each of sockets) each.pause();
    },
    goOn: () => {
      isStopped = false;
      for (const each of sockets) each.resume();
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of sockets) each.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

test('what is written after the beginning of a transaction has timed out is committed, although that arrives later', async () => {
  await using way = await stoppableWay(held.url);
  await using database = await open(way.url);
  await database.query('select 1');
  way.stop();
  await expect(database.transaction(async () => undefined)).rejects.toMatchObject(unavailable);
  way.goOn();
  await database.query(`insert into coin values ('written')`);
  expect(await held.database.query(`select id from coin where id = 'written'`)).toEqual([{ id: 'written' }]);
});
