import { afterAll, beforeAll, expect, test } from 'vitest';
import fc from 'fast-check';
import type { RequestOf } from '@gateway/contracts/messages';
import type { getTotals as contract } from '@gateway/contracts/webhooks';
import type { ConsumerPosition } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { kitMigrations, type Database } from '@gateway/persistence';
import { createTestDatabase } from '@gateway/test-kit';
import { publicEventOf } from '#src/fanout/public-events.ts';
import { logEvents } from '#src/fanout/log-events.ts';
import { Endpoint } from '#src/endpoints/endpoint.ts';
import { migrations } from '#src/migrations/index.ts';
import { preparedTransaction } from '#src/queue/prepared-transaction.ts';
import { addUpEvents, removeOldTotals } from '#src/totals/add-up-events.ts';
import { ReadTotals } from '#src/totals/note-read.ts';
import { getTotals } from '#src/totals/read-totals.ts';
import { newDeposit, newMerchant, newPayout, type Merchant } from './support/events.ts';

const resources = new AsyncDisposableStack();
let database: Database;
beforeAll(async () => {
  const schema = { entities: [Endpoint], migrations: [...kitMigrations, ...migrations] };
  ({ database } = resources.use(await createTestDatabase('webhooks', schema)));
});
afterAll(async () => resources.disposeAsync());

/** 30 September 2026, 12:00 UTC. */
const noon = Date.UTC(2026, 8, 30, 12) / 1_000;

interface Happened {
  readonly provider?: string;
  readonly subject: string;
  readonly at: number;
  readonly record: object;
  readonly id?: string;
  /** What the log has instead, such as a record of before its contract. */
  readonly stored?: object;
}
const deposited = (merchant: Merchant, state: 'created' | 'paid', amount: number, at = noon): Happened => ({
  ...{ subject: `event.deposits.deposit.${state}.v1`, at, record: { deposit: newDeposit(merchant, { amount }) } },
});
const paidOut = (merchant: Merchant, amount: number, at = noon): Happened => ({
  ...{ subject: 'event.payouts.payout.paid.v1', at, record: { payout: newPayout(merchant, { amount }) } },
});

async function log(all: readonly Happened[]): Promise<void> {
  const events = all.map(({ subject, at, record, provider = null, id = newId('event'), stored = {} }) => {
    const data = { id, occurredAt: at, provider, ...record };
    const message = { subject, data: { ...data, ...stored } };
    const event = publicEventOf(subject, data);
    if (!event) throw new Error('no public event');
    return { event, message, trace: {} };
  });
  await preparedTransaction(database, { durable: true }, (tx) => logEvents(tx, events));
}
async function addUp(): Promise<void> {
  while (await addUpEvents(database));
}
async function addUpAnew(): Promise<void> {
  await database.query('truncate hour_total, hour_provider_total, hour_total_position');
  await addUp();
}
/** As an earlier version has logged all of it. */
async function logAsBefore(): Promise<void> {
  await database.query('update event_log set occurred_at = null, provider = null, currency = null, amount = null');
}
type Asked = Partial<RequestOf<typeof contract>>;
const totalsOf = async ({ environment, accountId }: Merchant, asked: Asked = {}) => {
  const period = { from: noon - 86_400, to: noon + 86_400, by: 'hour' as const, zone: 'America/Sao_Paulo' };
  return (await getTotals(database, { environment, accountId, ...period, ...asked })).totals;
};
const total = (event: string, count: number, amount: number, at = noon) => ({
  ...{ event, provider: null as string | null, currency: 'BRL', at, count, amount },
});

test('events are counted and added up by account, environment, name and hour', async () => {
  const merchant = newMerchant('live');
  const [inTest, other] = [{ ...merchant, environment: 'test' as const }, newMerchant('live')];
  await log([
    ...[deposited(merchant, 'created', 1_000), deposited(merchant, 'paid', 1_000), deposited(merchant, 'paid', 250)],
    ...[deposited(merchant, 'paid', 50, noon + 3_600), paidOut(merchant, 700, noon + 3_599)],
    ...[deposited(inTest, 'paid', 7), deposited(other, 'paid', 9)],
  ]);
  await addUp();
  const own = [
    ...[total('deposit.paid', 2, 1_250), total('deposit.pending', 1, 1_000), total('payout.paid', 1, 700)],
    total('deposit.paid', 1, 50, noon + 3_600),
  ];
  expect(await totalsOf(merchant)).toEqual(own);
  expect(await totalsOf(inTest)).toEqual([total('deposit.paid', 1, 7)]);
  expect(await totalsOf(merchant, { events: ['payout.paid'] })).toEqual([total('payout.paid', 1, 700)]);
  expect(await totalsOf(merchant, { currency: 'MXN' })).toEqual([]);
  expect(await totalsOf(merchant, { from: noon + 3_600 })).toEqual(own.slice(3));
  expect(await totalsOf(merchant, { accountId: undefined, events: ['deposit.paid'], to: noon + 3_600 })).toEqual([
    total('deposit.paid', 3, 1_259),
  ]);
});

test('of all accounts together there is a total for each provider, without those of events that name none', async () => {
  const [one, other] = [newMerchant('live'), newMerchant('live')];
  const at = noon - 40 * 86_400;
  const of = (happened: Happened, provider: string) => ({ ...happened, provider });
  await log([
    ...[of(deposited(one, 'paid', 100, at), 'efi'), of(deposited(other, 'paid', 20, at), 'efi')],
    ...[of(paidOut(one, 7, at), 'woovi'), deposited(one, 'paid', 3, at), of(deposited(one, 'paid', 1, at), '<b>')],
    of({ ...deposited({ ...one, environment: 'test' }, 'paid', 5, at) }, 'sandbox'),
  ]);
  await addUp();
  const asked = { accountId: undefined, byProvider: true, from: at, to: at + 3_600 };
  const byProvider = async (given: Asked = {}) => await totalsOf(one, { ...asked, ...given });
  const own = [
    { ...total('deposit.paid', 2, 120, at), provider: 'efi' },
    { ...total('payout.paid', 1, 7, at), provider: 'woovi' },
  ];
  expect(await byProvider()).toEqual(own);
  expect(await byProvider({ events: ['payout.paid'] })).toEqual(own.slice(1));
  expect(await byProvider({ environment: 'test' })).toMatchObject([{ provider: 'sandbox', amount: 5 }]);
  expect(await totalsOf(one, { from: at, to: at + 3_600, events: ['deposit.paid'] })).toEqual([
    total('deposit.paid', 3, 104, at),
  ]);
});

test('a day begins in the zone that is asked for', async () => {
  const merchant = newMerchant();
  const midnight = noon + 15 * 3_600;
  await log([deposited(merchant, 'paid', 1, midnight - 1), deposited(merchant, 'paid', 2, midnight)]);
  await addUp();
  const days = async (zone: string) =>
    (await totalsOf(merchant, { by: 'day', zone })).map(({ at, amount }) => [(at - midnight) / 3_600, amount]);
  expect(await days('America/Sao_Paulo')).toEqual([
    [-24, 1],
    [0, 2],
  ]);
  expect(await days('UTC')).toEqual([[-3, 3]]);
});

test('what came back of a payout is a total of its own, and what has no amount is none', async () => {
  const merchant = newMerchant();
  const payout = newPayout(merchant, { amount: 900, returned: 300 });
  const returnedAt = '2026-09-30T12:00:00.000Z';
  const part = { id: newId('payoutReturn'), amount: 300, currency: 'BRL', e2eId: null, returnedAt };
  const deposit = newDeposit(merchant, { received: 20 });
  await log([
    { subject: 'event.payouts.payout.returned.v1', at: noon, record: { payout, return: part } },
    { subject: 'event.deposits.deposit.partially-paid.v1', at: noon, record: { deposit } },
  ]);
  await addUp();
  expect(await totalsOf(merchant)).toEqual([total('payout.returned', 1, 300)]);
});

test('an event counts once, however often it is logged and added up, and by however many processes at once', async () => {
  const merchant = newMerchant();
  const repeated = { ...deposited(merchant, 'paid', 100), id: newId('event') };
  for (let nth = 0; nth < 3; nth++) await log([repeated]);
  await Promise.all([addUp(), addUp(), addUp()]);
  await addUp();
  expect(await totalsOf(merchant)).toEqual([total('deposit.paid', 1, 100)]);
  await log([deposited(merchant, 'paid', 10)]);
  await addUp();
  expect(await totalsOf(merchant)).toEqual([total('deposit.paid', 2, 110)]);
});

test('an event that commits while totals are added up is in them afterwards', async () => {
  const merchant = newMerchant();
  const gate = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const message = {
    subject: 'event.deposits.deposit.paid.v1',
    data: { id: newId('event'), occurredAt: noon, deposit: newDeposit(merchant) },
  };
  const event = publicEventOf(message.subject, message.data)!;
  const slow = preparedTransaction(database, { durable: true }, async (tx) => {
    await logEvents(tx, [{ event, message, trace: {} }]);
    written.resolve();
    await gate.promise;
  });
  await written.promise;
  const other = newMerchant();
  await log([deposited(other, 'paid', 1)]);
  await addUp();
  expect([await totalsOf(merchant), await totalsOf(other)]).toEqual([[], [total('deposit.paid', 1, 1)]]);
  gate.resolve();
  await slow;
  await addUp();
  expect(await totalsOf(merchant)).toEqual([total('deposit.paid', 1, 1_000)]);
});

test('totals that are gone are made again from the log, equal to what they were and to the sums of its records', async () => {
  const merchants = [newMerchant('live'), newMerchant('test'), newMerchant('live')];
  const one = fc.record({
    merchant: fc.constantFrom(...merchants),
    kind: fc.constantFrom('created', 'paid', 'payout'),
    amount: fc.integer({ min: 1, max: 1_000_000_000 }),
    hours: fc.integer({ min: 0, max: 5 }),
  });
  const [batch = []] = fc.sample(fc.array(one, { minLength: 700, maxLength: 700 }), { numRuns: 1, seed: 7 });
  const all = batch.map(({ merchant, kind, amount, hours }) => {
    const at = noon - hours * 3_600;
    return kind === 'payout' ? paidOut(merchant, amount, at) : deposited(merchant, kind, amount, at);
  });
  for (let from = 0; from < all.length; from += 100) {
    await log(all.slice(from, from + 100));
    await addUpEvents(database);
  }
  await addUp();
  const before = await Promise.all(merchants.map((merchant) => totalsOf(merchant)));
  const sums = before.flat().reduce((sum, { amount }) => sum + amount, 0);
  expect(sums).toBe(batch.reduce((sum, { amount }) => sum + amount, 0));
  expect(before.flat().reduce((sum, { count }) => sum + count, 0)).toBe(700);
  await addUpAnew();
  expect(await Promise.all(merchants.map((merchant) => totalsOf(merchant)))).toEqual(before);
  await logAsBefore();
  await addUpAnew();
  expect(await Promise.all(merchants.map((merchant) => totalsOf(merchant)))).toEqual(before);
});

test('no event ends the totals of all: each counts whatever its texts are, and one that cannot be read is left out', async () => {
  const [odd, other] = [newMerchant(), newMerchant()];
  const texts = ['\0', '\uD83D', '\\\0\0', String.raw`\u0000 \ud83d`, 'ü 😀'];
  const described = texts.map((description) => ({
    ...deposited(odd, 'paid', 1),
    record: { deposit: newDeposit(odd, { amount: 10, description }) },
  }));
  const deposit = newDeposit(odd);
  const odds = [{ currency: undefined }, { currency: null }, { amount: 1.5 }, { amount: 'all' }, { amount: -1 }];
  const unreadable = odds.map((given) => ({ deposit: { ...deposit, ...given } }));
  const stored = [...unreadable, { deposit: 'none' }, { occurredAt: 'noon' }, { occurredAt: 1e20 }];
  await log([
    ...described,
    ...stored.map((each) => ({ ...deposited(odd, 'paid', 1), stored: each })),
    deposited(other, 'paid', 5),
  ]);
  expect(await totalsOf(odd)).toEqual([]);
  for (const change of [() => Promise.resolve(), logAsBefore]) {
    await change();
    await addUpAnew();
    expect(await totalsOf(odd)).toEqual([total('deposit.paid', texts.length, 50)]);
    expect(await totalsOf(other)).toEqual([total('deposit.paid', 1, 5)]);
  }
});

test('totals are complete until the first event that is not added up yet', async () => {
  const merchant = newMerchant();
  const asOf = async () => {
    const period = { from: noon, to: noon + 60, by: 'hour' as const, zone: 'UTC' };
    return (await getTotals(database, { ...merchant, ...period })).asOf;
  };
  await log([deposited(merchant, 'paid', 1, noon + 5), deposited(merchant, 'paid', 1, noon + 9)]);
  await database.query('update hour_total_read set complete_until = to_timestamp($1)', [noon + 60]);
  expect(await asOf()).toBe(noon + 5);
  await addUp();
  expect(await asOf()).toBe(noon + 60);
});

test('totals are complete until a moment once every event that was published before it is added up, and not before', async () => {
  const merchant = newMerchant();
  await addUp();
  const noted = async () => {
    const [row] = await database.query<{ at: number }>(
      'select extract(epoch from complete_until)::bigint as at from hour_total_read',
    );
    return row?.at;
  };
  await database.query('update hour_total_read set complete_until = to_timestamp($1)', [noon]);
  let positions: readonly ConsumerPosition[] | undefined;
  const totals = new ReadTotals(database, () => Promise.resolve(positions));
  const note = async (published: number, handled: number) => {
    positions = [
      { published, handled, waiting: published - handled },
      { published: 4, handled: 4, waiting: 0 },
    ];
    await totals.note();
    return await noted();
  };
  await totals.note();
  expect(await noted()).toBe(noon);
  expect(await note(7, 6)).toBe(noon);
  await log([deposited(merchant, 'paid', 3)]);
  // What is published since is not waited for, and what is logged is only once it is added up.
  expect(await note(9, 7)).toBe(noon);
  await addUp();
  await log([deposited(merchant, 'paid', 4)]);
  expect(await note(12, 8)).toBeGreaterThan(noon);
  await addUp();
  // The broker has lost its streams while they were waited for: these begin anew.
  await database.query('update hour_total_read set complete_until = to_timestamp($1)', [noon]);
  expect(await note(20, 12)).toBe(noon);
  expect(await note(5, 5)).toBeGreaterThan(noon);
});

test('a total is kept for 400 days', async () => {
  const merchant = newMerchant();
  const now = Math.floor(Date.now() / 3_600_000) * 3_600;
  const [kept, gone] = [now - 399 * 86_400, now - 401 * 86_400];
  await log([deposited(merchant, 'paid', 1, kept), deposited(merchant, 'paid', 2, gone)]);
  await addUp();
  expect(await removeOldTotals(database)).toBe(false);
  expect(await totalsOf(merchant, { from: gone, to: now })).toEqual([total('deposit.paid', 1, 1, kept)]);
});
