import { beforeEach, describe, expect, test } from 'vitest';
import type { RecordEvent } from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import { AskedPlaces } from '#src/comparisons/ask-again.ts';
import { checkDeliveries, checkMissingDeliveries } from '#src/comparisons/check-deliveries.ts';
import { EventReading } from '#src/comparisons/read-record-events.ts';
import { rebuildScript } from '#src/matching/rebuild.ts';
import { openBooks } from './books.ts';
import { account, type Services, SidesByHand } from './sources.ts';

const database = await openBooks();
let sides: SidesByHand;
let services: Services;
let reading: EventReading;
beforeEach(async () => {
  sides = new SidesByHand(database);
  services = sides.services;
  reading = new EventReading(sides.dependencies);
  services.outcome = [{ endpointId: newId('webhook'), status: null, reason: null }];
});

function happened(event: RecordEvent['event'], id: string): string {
  services.happened.push({ accountId: account, recordId: id, event, currency: 'BRL', atMs: services.now.getTime() });
  services.delivered.add(`${event} ${id}`);
  return `${event} ${id}`;
}

/** A day later everything is read; a page of which something is missing twice. */
async function readAll(): Promise<number> {
  services.passSeconds(86_400);
  await reading.begin(services.now);
  let again = 0;
  for (let next = await reading.readPage(); next !== 'done'; next = await reading.readPage())
    again += Number(next === 'again');
  return again;
}

const exceptions = async () =>
  await database.query('select subject, reason, state, account_id as account from exception order by subject');

describe('what records say has happened to them', () => {
  test('has its deliveries, of every list, page after page', async () => {
    for (const kind of ['deposit', 'refund', 'dispute', 'payout', 'conversion', 'export'] as const) {
      for (let count = 0; count < 3; count += 1) happened('deposit.expired', newId(kind));
    }
    expect(await readAll()).toBe(0);
    expect(await exceptions()).toEqual([]);
  });

  test('is an exception where a delivery that was there has been deleted, and no longer than until it is there again', async () => {
    const [kept, deleted] = [newId('deposit'), newId('payout')];
    happened('deposit.expired', kept);
    const event = happened('payout.failed', deleted);
    await readAll();
    services.delivered.delete(event);
    expect(await readAll()).toBe(1);
    const found = { subject: `event:payout.failed:${deleted}`, reason: 'event_without_delivery', account };
    expect(await exceptions()).toEqual([{ ...found, state: 'OPEN' }]);
    await readAll();
    expect(await exceptions()).toHaveLength(1);
    services.delivered.add(event);
    await checkMissingDeliveries(sides.dependencies, 'live', new AskedPlaces());
    expect(await exceptions()).toEqual([{ ...found, state: 'EXPLAINED' }]);
  });

  test('is asked about once more where it has no delivery yet, and is none when it has one by then', async () => {
    const event = happened('deposit.canceled', newId('deposit'));
    services.delivered.delete(event);
    services.passSeconds(86_400);
    await reading.begin(services.now);
    expect(await reading.readPage()).toBe('again');
    services.delivered.add(event);
    expect(await reading.readPage()).toBe('more');
    expect(await exceptions()).toEqual([]);
  });

  test('is none when it happened while an earlier one of its page was asked about once more', async () => {
    const earlier = happened('deposit.canceled', newId('deposit'));
    services.delivered.delete(earlier);
    services.passSeconds(86_400);
    await reading.begin(services.now);
    expect(await reading.readPage()).toBe('again');
    services.delivered.add(earlier);
    services.delivered.delete(happened('deposit.pending', newId('deposit')));
    expect(await reading.readPage()).toBe('more');
    expect(await exceptions()).toEqual([]);
  });

  test('is one exception, also where its decision was asked about before', async () => {
    const id = newId('deposit');
    services.credit(id, 500);
    await sides.readLedger();
    services.passSeconds(60);
    await checkDeliveries(sides.dependencies, 'live');
    services.delivered.delete(happened('deposit.paid', id));
    await readAll();
    expect(await exceptions()).toMatchObject([{ subject: `event:deposit.paid:${id}` }]);
  });

  test('is read anew after everything was forgotten', async () => {
    await readAll();
    await database.pool.query(rebuildScript);
    services.delivered.delete(happened('deposit.expired', newId('deposit')));
    expect(await readAll()).toBe(1);
    expect(await exceptions()).toHaveLength(1);
  });
});

test('more missing deliveries than fit on a page are all asked about, round by round', async () => {
  const events = Array.from({ length: 401 }, () => happened('deposit.expired', newId('deposit')));
  services.delivered.clear();
  await readAll();
  expect(await exceptions()).toHaveLength(401);
  const places = new AskedPlaces();
  events.forEach((event) => services.delivered.add(event));
  expect(await checkMissingDeliveries(sides.dependencies, 'live', places)).toBe(true);
  expect(await checkMissingDeliveries(sides.dependencies, 'live', places)).toBe(false);
  expect(await database.query(`select 1 from exception where state = 'OPEN'`)).toEqual([]);
});
