import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { pageByAccount, pageParameters } from '#src/page-by-account.ts';

const accounts = 6;
const perAccount = 3_000;
let opened: TestDatabase;
beforeAll(async () => {
  const sql = `create table thing (environment text collate "C", account_id text collate "C", id text collate "C",
    primary key (environment, account_id, id))`;
  opened = await createTestDatabase('pages', { entities: [], migrations: [{ name: 'thing', sql }] });
  await opened.database.query(
    `insert into thing select 'live', 'acc_' || account, 'dep_' || lpad(number::text, 5, '0')
     from generate_series(1, $1::int) account, generate_series(1, $2::int) number`,
    [accounts, perAccount],
  );
  await opened.database.query(
    `insert into thing values ('test', 'acc_1', 'dep_02500'), ('live', 'acc_7', 'dep_00001')`,
  );
  await opened.database.query('analyze thing');
});
afterAll(async () => opened[Symbol.asyncDispose]());

interface Place {
  readonly accountId: string;
  readonly id: string;
}
const ids = { from: 'dep_02500', below: 'dep_02504' };
const page = pageByAccount('thing');

async function readAll(limit: number, bounds?: typeof ids): Promise<string[]> {
  const read: string[] = [];
  for (let after: Place | null = null; ;) {
    const rows: Place[] = await opened.database.query<Place>(
      `select account_id as "accountId", id from (${page}) row order by account_id, id`,
      pageParameters({ environment: 'live', after, limit, ids: bounds }),
    );
    read.push(...rows.map(({ accountId, id }) => `${accountId} ${id}`));
    if (rows.length < limit) return read;
    after = rows.at(-1)!;
  }
}

test('pages have every row within the bounds once, in the order of account and id, whatever their length', async () => {
  const wanted = Array.from({ length: accounts * 4 }, (_, at) => `acc_${Math.floor(at / 4) + 1} dep_0250${at % 4}`);
  for (const limit of [1, 3, 4, 5, 100]) expect(await readAll(limit, ids)).toEqual(wanted);
});

test('without bounds pages have every row', async () => {
  const read = await readAll(1_000);
  expect(read).toHaveLength(accounts * perAccount + 1);
  expect(read).toEqual(read.toSorted());
});

test('what lies outside the bounds costs nothing, and neither do accounts behind the page', async () => {
  const buffers = async (limit: number) => {
    const [row] = await opened.database.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${page}`,
      pageParameters({ environment: 'live', after: null, limit, ids }),
    );
    const { Plan: plan } = row!['QUERY PLAN'][0];
    return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
  };
  // Two probes of an index of three levels for each account, and a row of the table.
  expect(await buffers(100)).toBeLessThanOrEqual((accounts + 2) * 10);
  expect(await buffers(1)).toBeLessThanOrEqual(20);
});
