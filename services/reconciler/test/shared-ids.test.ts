import { describe, expect, test } from 'vitest';
import type { Database, Tx } from '@gateway/persistence';
import { itemsArrived } from '#src/matching/items-arrived.ts';
import { sharedIdLinesMax } from '#src/matching/linked-items.ts';
import { sweep } from '#src/matching/sweep.ts';
import { after, arrive, booked, line, matchesOf, noon, openBooks, record } from './books.ts';

const database = await openBooks();
const shared = 'E12345678202611201200aaaaaaaaaaa';
const batch = 500;
const linesWith = (e2eId: string, from: number, many: number) =>
  Array.from({ length: many }, (_, at) => line(`l${String(from + at).padStart(6, '0')}`, 100, { e2eId }));

/** How many rows the database answers while lines with one id come. */
async function rowsFor(source: Database, many: number): Promise<number> {
  let rows = 0;
  for (let from = 0; from < many; from += batch) {
    await source.transaction(async (tx) => {
      const counting: Tx = {
        ...tx,
        sql: async <Row extends object>(...call: Parameters<typeof tx.sql>) => {
          const answered = await tx.sql<Row>(...call);
          rows += answered.length;
          return answered;
        },
      };
      await itemsArrived(counting, { lines: linesWith(shared, from, batch) }, noon);
    });
  }
  return rows;
}

describe('lines that share one id', () => {
  test('cost the same each, however many they are', async () => {
    expect(await rowsFor(database, 3_000)).toBeLessThan(1_500);
    await sweep({ database, now: () => after(6) });
    expect(await database.query('select distinct reason from exception')).toEqual([{ reason: 'line_without_record' }]);
  }, 60_000);

  test('name a transfer while they are few and none once they are many, in whatever order they come', async () => {
    const facts = [record('payment', 'dep_1', 100, { e2eId: shared }), booked('credit-deposit:dep_1', 100)];
    const matched = async () => (await matchesOf(database)).matches.filter(({ state }) => state === 'matched').length;
    await arrive(database, { lines: linesWith(shared, 0, sharedIdLinesMax), facts });
    expect(await matched()).toBe(1);
    await arrive(database, { lines: linesWith(shared, sharedIdLinesMax, 1) });
    const one = await matchesOf(database);
    await database.query('delete from line; delete from match; delete from fact');
    await arrive(database, { lines: linesWith(shared, 0, sharedIdLinesMax + 1) });
    await arrive(database, { facts });
    expect(await matchesOf(database)).toEqual(one);
    const payment = one.matches.find(({ subject }) => subject === 'payment:dep_1');
    expect(payment).toMatchObject({ p: 0, r: 100, l: 100 });
  });

  test('are found by another id of theirs', async () => {
    const returned = linesWith(shared, 0, sharedIdLinesMax + 1).map((each, at) =>
      at === 3 ? { ...each, kind: 'refund' as const, amount: -100, returnId: 'D1' } : each,
    );
    await arrive(database, { lines: returned });
    const facts = [record('refund', 'rfd_1', -100, { returnId: 'D1' }), booked('refund-deposit:rfd_1', -100)];
    await arrive(database, { facts });
    expect((await matchesOf(database)).matches.find(({ subject }) => subject === 'refund:rfd_1')).toMatchObject({
      ...{ state: 'matched', p: -100 },
    });
  });
});
