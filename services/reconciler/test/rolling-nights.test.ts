import { beforeEach, expect, test } from 'vitest';
import { idSequence } from '@gateway/money';
import { compare, openBooks } from './books.ts';
import { record, type Services, SidesByHand } from './sources.ts';

const database = await openBooks();
let sides: SidesByHand;
let services: Services;
beforeEach(async () => {
  await compare(database);
  await database.query('truncate reading, adjustment');
  sides = new SidesByHand(database);
  services = sides.services;
});

/** A payout that was made on the tenth of a month of 2026, and has not gone out. */
function payoutOf(month: number): string {
  const id = idSequence('payout')(Date.UTC(2026, month - 1, 10));
  services.records.push(record('payout', id, { state: 'RESERVING' }));
  return id;
}

async function readNight(): Promise<readonly string[]> {
  services.recordsRead.length = 0;
  services.passSeconds(86_400);
  await sides.readAllRecords();
  return [...services.recordsRead];
}

test('a payout of an old month whose row says that it went out is an exception when its month has its turn', async () => {
  const [may, june, , , september, october] = [5, 6, 7, 8, 9, 10].map(payoutOf);
  const all = services.records.map(({ id }) => id);
  expect(await readNight()).toEqual(all);
  const at = services.records.findIndex(({ id }) => id === june);
  services.records[at] = { ...services.records[at]!, state: 'PAID' };
  expect(await readNight()).toEqual([october, may]);
  const found = () => database.query(`select subject, reason from exception where reason = 'record_without_ledger'`);
  await sides.waitSeconds(40);
  expect(await found()).toEqual([]);
  expect(await readNight()).toEqual([october, june]);
  await sides.waitSeconds(40);
  expect(await found()).toEqual([{ subject: `payout:${june}`, reason: 'record_without_ledger' }]);
  for (let night = 0; night < 2; night += 1) await readNight();
  expect(await readNight()).toEqual([october, september]);
  expect(await readNight()).toEqual([october, may]);
});
