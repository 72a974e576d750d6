import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import type { RequestOf } from '@gateway/contracts/messages';
import { getEvent, getEventLogStart, listEventDeliveries, listEvents } from '@gateway/contracts/webhooks';
import { callRpc } from '@gateway/messaging';
import { idSequence, newId } from '@gateway/money';
import { eventually, silentLogger } from '@gateway/test-kit';
import { keepPartitions } from '#src/deliveries/retention.ts';
import { publicEventOf } from '#src/fanout/public-events.ts';
import { logEvents } from '#src/fanout/log-events.ts';
import { preparedTransaction } from '#src/queue/prepared-transaction.ts';
import { newDeposit, newMerchant, newPayout, paid, publishDeposit, publishReturn } from './support/events.ts';
import type { Merchant } from './support/events.ts';
import { Receiver } from './support/receiver.ts';
import { createHarness, type Harness } from './support/harness.ts';

let webhooks: Harness;
const services = new AsyncDisposableStack();
beforeAll(async () => {
  webhooks = services.use(await createHarness());
  services.use(await webhooks.start());
  services.use(await webhooks.start());
});
afterAll(async () => services.disposeAsync());

const read = async (merchant: Merchant, asked: Partial<RequestOf<typeof listEvents>> = {}) =>
  await callRpc(webhooks.bus, listEvents, { ...merchant, apiVersion: '0.1', limit: 200, order: 'asc', ...asked });
const idsOf = ({ events }: Awaited<ReturnType<typeof read>>) => events.map(({ id }) => id);

/** An event as the service receives it. */
function received(
  merchant: Merchant,
  id = newId('event'),
  happened: 'created' | 'paid' = 'created',
  deposit = newDeposit(merchant),
) {
  const message = {
    subject: `event.deposits.deposit.${happened}.v1`,
    data: { id, occurredAt: 1_790_000_001, deposit: happened === 'paid' ? paid(deposit) : deposit },
  };
  const event = publicEventOf(message.subject, message.data);
  if (!event) throw new Error('no public event');
  return { event, message, trace: {} };
}

test('an event that no webhook receives is in the log, once, in the contract of each call', async () => {
  const merchant = newMerchant();
  const deposit = paid(newDeposit(merchant));
  const { id } = await publishDeposit(webhooks.bus, deposit);
  await publishDeposit(webhooks.bus, deposit, { id });
  const { id: last } = await publishDeposit(webhooks.bus, newDeposit(merchant));
  await eventually(async () => expect(idsOf(await read(merchant))).toContain(last));
  expect(idsOf(await read(merchant)).toSorted()).toEqual([id, last].toSorted());
  const asked = { ...merchant, id };
  const before = await callRpc(webhooks.bus, getEvent, { ...asked, apiVersion: '0.1' });
  expect(before.event).toMatchObject({ id, event: 'deposit.paid', dataId: deposit.id, data: { amount_cents: 1_000 } });
  const beta = await callRpc(webhooks.bus, getEvent, { ...asked, apiVersion: '1.0' });
  expect(beta.event.data).toMatchObject({ amount: 1_000, currency: 'BRL' });
  expect((await callRpc(webhooks.bus, listEventDeliveries, asked)).deliveries).toEqual([]);
});

test('the event of a delivery can be read from the moment the delivery arrives', async () => {
  const merchant = newMerchant();
  const seen: unknown[] = [];
  await using receiver = await Receiver.start((response, { headers }) => {
    const id = String(headers['webhook-id']);
    void callRpc(webhooks.bus, getEvent, { ...merchant, id, apiVersion: '0.1' })
      .then(
        ({ event }) => seen.push(event.id),
        (error: unknown) => seen.push(error),
      )
      .finally(() => response.writeHead(204).end());
  });
  const webhook = await webhooks.register(merchant, receiver.url);
  const { id } = await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
  await eventually(() => expect(seen).toEqual([id]));
  const { deliveries } = await callRpc(webhooks.bus, listEventDeliveries, { ...merchant, id });
  expect(deliveries).toMatchObject([{ webhookId: webhook.id, event: 'deposit.paid' }]);
});

test('no event appears before one that was answered: who comes second waits for the commit of the first', async () => {
  const merchant = newMerchant();
  const [first, second] = [received(merchant), received(merchant)];
  const gate = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const earlier = preparedTransaction(webhooks.database, { durable: true }, async (tx) => {
    await logEvents(tx, [first]);
    written.resolve();
    await gate.promise;
  });
  await written.promise;
  const later = preparedTransaction(webhooks.database, { durable: true }, (tx) => logEvents(tx, [second]));
  expect(idsOf(await read(merchant))).toEqual([]);
  gate.resolve();
  await Promise.all([earlier, later]);
  expect(idsOf(await read(merchant))).toEqual([first.event.id, second.event.id]);
});

test('an event that is recorded again keeps its place, and events that are recorded together have one each', async () => {
  const merchant = newMerchant();
  const [first, second, third] = [received(merchant), received(merchant), received(merchant)];
  for (const events of [[first], [second, third], [first]])
    await preparedTransaction(webhooks.database, { durable: true }, (tx) => logEvents(tx, events));
  const seen: string[] = [];
  for (let rest = 4; rest > 0; rest--) seen.push(...idsOf(await read(merchant, { limit: 1, cursor: seen.at(-1) })));
  expect(seen).toEqual([first, second, third].map(({ event }) => event.id));
});

test('two parts of a payout that come back are two events of the log, and each is delivered', async () => {
  const merchant = newMerchant();
  await using receiver = await Receiver.start();
  const webhook = await webhooks.register(merchant, receiver.url);
  const payout = newPayout(merchant);
  const { id: first } = await publishReturn(webhooks.bus, { ...payout, returned: 200 }, 200);
  await eventually(async () => expect(idsOf(await read(merchant))).toEqual([first]));
  const { id: second } = await publishReturn(webhooks.bus, { ...payout, returned: 500 }, 300);
  await eventually(async () => expect(idsOf(await read(merchant))).toEqual([first, second]));
  const { events } = await read(merchant, { dataId: payout.id, events: ['payout.returned'] });
  expect(events.map(({ data }) => data)).toMatchObject([
    { returned_cents: 200, return: { amount_cents: 200 } },
    { returned_cents: 500, return: { amount_cents: 300 } },
  ]);
  await eventually(async () => {
    const delivered = await webhooks.deliveries(webhook, { status: 'DELIVERED' });
    expect(delivered.map(({ event }) => event)).toEqual(['payout.returned', 'payout.returned']);
  });
});

test('a reader that goes on from the last event sees each once while two services write', async () => {
  const merchant = newMerchant();
  const published: string[] = [];
  const writing = (async () => {
    for (let nth = 0; nth < 60; nth++) published.push((await publishDeposit(webhooks.bus, newDeposit(merchant))).id);
  })();
  const seen: string[] = [];
  await eventually(async () => {
    seen.push(...idsOf(await read(merchant, { limit: 7, cursor: seen.at(-1) })));
    expect(seen).toHaveLength(60);
  });
  await writing;
  expect(seen.toSorted()).toEqual(published.toSorted());
  expect(idsOf(await read(merchant))).toEqual(seen);
  expect(idsOf(await read(merchant, { order: 'desc' }))).toEqual(seen.toReversed());
});

test('another account and the other environment see none of it, and their cursor is refused', async () => {
  const merchant = newMerchant();
  const { id } = await publishDeposit(webhooks.bus, newDeposit(merchant));
  await eventually(async () => expect(idsOf(await read(merchant))).toEqual([id]));
  const busier = newMerchant();
  for (let nth = 0; nth < 5; nth++) await publishDeposit(webhooks.bus, newDeposit(busier));
  await eventually(async () => expect(idsOf(await read(busier))).toHaveLength(5));
  expect(await read(merchant, { limit: 1, order: 'desc' })).toMatchObject({ events: [{ id }], nextCursor: null });
  for (const stranger of [newMerchant(), { ...merchant, environment: 'live' as const }]) {
    expect(idsOf(await read(stranger))).toEqual([]);
    await expect(read(stranger, { cursor: id })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const asked = { ...stranger, id };
    await expect(callRpc(webhooks.bus, getEvent, { ...asked, apiVersion: '0.1' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(callRpc(webhooks.bus, listEventDeliveries, asked)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('a list is narrowed to names, a record and a period: its first second is in it, its last is not', async () => {
  const merchant = newMerchant();
  const startMs = Math.floor(Date.now() / 1_000 - 60) * 1_000;
  const ids = idSequence('event');
  const deposits = [newDeposit(merchant), newDeposit(merchant)] as const;
  const at = (ms: number, subject: 'created' | 'paid', deposit: Deposit) =>
    received(merchant, ids(startMs + ms), subject, deposit);
  const [early, first, second, late] = [
    at(-1, 'created', deposits[0]),
    at(0, 'created', deposits[1]),
    at(999, 'paid', deposits[0]),
    at(1_000, 'paid', deposits[1]),
  ];
  const all = [early, first, second, late];
  await preparedTransaction(webhooks.database, { durable: true }, (tx) => logEvents(tx, all));
  const [e, f, s, l] = all.map(({ event }) => event.id);
  const chosen = async (asked: Partial<RequestOf<typeof listEvents>>) => idsOf(await read(merchant, asked));
  const from = startMs / 1_000;
  expect(await chosen({ events: ['deposit.paid'] })).toEqual([s, l]);
  expect(await chosen({ events: ['deposit.paid', 'deposit.pending'] })).toEqual([e, f, s, l]);
  expect(await chosen({ events: ['payout.paid'] })).toEqual([]);
  expect(await chosen({ dataId: deposits[1].id })).toEqual([f, l]);
  expect(await chosen({ from })).toEqual([f, s, l]);
  expect(await chosen({ to: from })).toEqual([e]);
  expect(await chosen({ from, to: from + 1 })).toEqual([f, s]);
  expect(await chosen({ from, to: from + 1, events: ['deposit.paid'], order: 'desc' })).toEqual([s]);
  expect(await chosen({ cursor: f, dataId: deposits[1].id })).toEqual([l]);
});

test('a page that is narrowed may be short: it goes on from where 10,000 events were looked at, and only null is its end', async () => {
  const merchant = newMerchant();
  const lookedAt = 10_000;
  const events = Array.from({ length: lookedAt }, () => received(merchant));
  const last = received(merchant, newId('event'), 'paid');
  await preparedTransaction(webhooks.database, { durable: false }, (tx) => logEvents(tx, [...events, last]));
  const asked = { events: ['deposit.paid' as const], limit: 1 };
  const short = await read(merchant, asked);
  expect([short.events, short.nextCursor]).toEqual([[], events.at(-1)?.event.id]);
  const rest = await read(merchant, { ...asked, cursor: short.nextCursor ?? undefined });
  expect([idsOf(rest), rest.nextCursor]).toEqual([[last.event.id], null]);
});

const dayMs = 86_400_000;
/** Midnight so many days ago, by UTC. */
const daysAgo = (days: number) => Math.floor(Date.now() / dayMs - days) * dayMs;

test.each([
  ['live', 30],
  ['test', 7],
] as const)(
  'an event of %s older than %i days is gone, by its id and as a cursor; those of the day before that are unharmed',
  async (environment, days) => {
    const merchant = newMerchant(environment);
    const at = (ms: number) => received(merchant, idSequence('event')(ms));
    const [old, oldest, recent] = [at(daysAgo(days) - 1), at(daysAgo(days)), received(merchant)];
    await preparedTransaction(webhooks.database, { durable: true }, (tx) => logEvents(tx, [old, oldest, recent]));
    const ids = [old, oldest, recent].map(({ event }) => event.id);
    expect(idsOf(await read(merchant))).toEqual(ids);
    await using stopping = new AsyncDisposableStack();
    stopping.use(await keepPartitions(webhooks.database, silentLogger, { live: 30, test: 7 }));
    const [gone = '', ...kept] = ids;
    expect(idsOf(await read(merchant))).toEqual(kept);
    expect(idsOf(await read(merchant, { cursor: kept[0] }))).toEqual(kept.slice(1));
    await expect(read(merchant, { cursor: gone })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const asked = { ...merchant, id: gone };
    const single = callRpc(webhooks.bus, getEvent, { ...asked, apiVersion: '0.1' });
    await expect(single).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(callRpc(webhooks.bus, listEventDeliveries, asked)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  },
);

test('the log says from when on it has every event: from its migration, later from the oldest day that is kept', async () => {
  const since = async (environment: 'live' | 'test') =>
    (await callRpc(webhooks.bus, getEventLogStart, { environment })).since;
  const migratedAgo = (age: string) =>
    webhooks.database.query<{ at: number }>(
      `update migration set executed_at = now() - $1::interval where name = '0008-event-log'
       returning ceil(extract(epoch from executed_at))::bigint as at`,
      [age],
    );
  const [{ at } = { at: 0 }] = await migratedAgo('10 days');
  expect([await since('live'), await since('test')]).toEqual([at, daysAgo(7) / 1_000]);
  await migratedAgo('40 days');
  expect([await since('live'), await since('test')]).toEqual([daysAgo(30) / 1_000, daysAgo(7) / 1_000]);
});
