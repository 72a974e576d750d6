import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliverEvent, replayEvents, type Webhook } from '@gateway/contracts/webhooks';
import type { RequestOf } from '@gateway/contracts/messages';
import { callRpc } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { newDeposit, newMerchant, paid, publishDeposit, type Merchant } from './support/events.ts';
import { createHarness, type Harness } from './support/harness.ts';
import { Receiver } from './support/receiver.ts';

let webhooks: Harness;
let receiver: Receiver;
const seen: string[] = [];
const services = new AsyncDisposableStack();
beforeAll(async () => {
  webhooks = services.use(await createHarness());
  services.use(await webhooks.start());
  receiver = services.use(
    await Receiver.start((response, { headers }) => {
      seen.push(String(headers['webhook-id']));
      response.writeHead(204).end();
    }),
  );
});
afterAll(async () => services.disposeAsync());

const deliver = async (merchant: Merchant, id: string, webhookId: string) =>
  (await callRpc(webhooks.bus, deliverEvent, { ...merchant, id, webhookId })).delivery;
const replay = async (webhook: Webhook, asked: Partial<RequestOf<typeof replayEvents>> = {}) => {
  const { environment, accountId, id: webhookId } = webhook;
  return (await callRpc(webhooks.bus, replayEvents, { environment, accountId, webhookId, since: 0, ...asked })).count;
};
/** Holds back all deliveries that replays enqueue. */
const whileNoneIsGiven = async <T>(work: () => Promise<T>): Promise<T> =>
  await webhooks.database.transaction(async (tx) => {
    await tx.sql('lock table delivery in exclusive mode');
    return await work();
  });
const timesSeen = (id: string) => seen.filter((each) => each === id).length;

/** Events in the log of a merchant. */
async function logged(merchant: Merchant, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    const deposit = newDeposit(merchant);
    ids.push((await publishDeposit(webhooks.bus, nth % 2 === 0 ? paid(deposit) : deposit)).id);
  }
  await eventually(async () => {
    const found = await webhooks.database.query('select from event_log where id = any($1)', [ids]);
    expect(found).toHaveLength(count);
  });
  return ids;
}

test('an event reaches an endpoint that is newer, whatever it subscribes to, and again when it is sent again', async () => {
  const merchant = newMerchant();
  const [id = ''] = await logged(merchant, 1);
  const webhook = await webhooks.register(merchant, receiver.url, ['payout.paid']);
  expect(await deliver(merchant, id, webhook.id)).toMatchObject({ event: 'deposit.paid', webhookId: webhook.id });
  await eventually(() => expect(timesSeen(id)).toBe(1));
  await eventually(async () => expect(await webhooks.deliveries(webhook)).toMatchObject([{ status: 'DELIVERED' }]));
  await deliver(merchant, id, webhook.id);
  await eventually(() => expect(timesSeen(id)).toBe(2));
  expect(await webhooks.deliveries(webhook)).toHaveLength(1);
});

test('no event or endpoint of another account or environment is delivered or replayed', async () => {
  const merchant = newMerchant();
  const [id = ''] = await logged(merchant, 1);
  const webhook = await webhooks.register(merchant, receiver.url);
  const stranger = newMerchant();
  const theirs = await webhooks.register(stranger, receiver.url);
  const notFound = { code: 'NOT_FOUND' };
  await expect(deliver(merchant, id, theirs.id)).rejects.toMatchObject(notFound);
  await expect(deliver(stranger, id, theirs.id)).rejects.toMatchObject(notFound);
  await expect(deliver({ ...merchant, environment: 'live' }, id, webhook.id)).rejects.toMatchObject(notFound);
  await expect(replay({ ...webhook, accountId: stranger.accountId })).rejects.toMatchObject(notFound);
  expect(await replay(theirs)).toBe(0);
});

test('a replay sends what was never given and is subscribed to, and nothing the second time', async () => {
  const merchant = newMerchant();
  const ids = await logged(merchant, 20);
  const webhook = await webhooks.register(merchant, receiver.url, ['deposit.paid']);
  const [given = ''] = await logged(merchant, 1);
  await eventually(() => expect(timesSeen(given)).toBe(1));
  expect(await replay(webhook, { until: Math.floor(Date.now() / 1_000) - 3_600 })).toBe(0);
  expect(await replay(webhook, { events: ['payout.paid'] })).toBe(0);
  expect(await whileNoneIsGiven(async () => [await replay(webhook), await replay(webhook)])).toEqual([10, 0]);
  const owed = ids.filter((_, nth) => nth % 2 === 0);
  await eventually(() => expect(owed.map(timesSeen)).toEqual(owed.map(() => 1)));
  expect(await replay(webhook)).toBe(0);
  expect([given, ...ids].map(timesSeen).reduce((sum, times) => sum + times)).toBe(11);
});

test('a replay of more events than a batch gives each once, in the order of the log, and another process ends it', async () => {
  const merchant = newMerchant();
  const ids = await logged(merchant, 600);
  const webhook = await webhooks.register(merchant, receiver.url);
  services.use(await webhooks.start());
  expect(await replay(webhook)).toBe(600);
  await eventually(() => expect(ids.map(timesSeen)).toEqual(ids.map(() => 1)));
  expect(await webhooks.database.query('select from replay where endpoint_id = $1', [webhook.id])).toEqual([]);
});

test('a period with more than 100,000 events for the webhook is refused, and none of them is given', async () => {
  const merchant = newMerchant();
  const [id = ''] = await logged(merchant, 1);
  await webhooks.database.query(
    `insert into event_log (environment, account_id, seq, id, name, data_id, subject, payload)
     select environment, account_id, seq + nth, left(id, 14) || lpad(to_hex(nth), 16, '0'), name, data_id, subject, payload
       from event_log, generate_series(1, 100000) nth where id = $1`,
    [id],
  );
  await webhooks.database.query('update event_log_head set seq = seq + 100000 where account_id = $1', [
    merchant.accountId,
  ]);
  await webhooks.database.query('analyze event_log');
  const webhook = await webhooks.register(merchant, receiver.url);
  await expect(replay(webhook)).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  expect(await webhooks.database.query('select from replay where endpoint_id = $1', [webhook.id])).toEqual([]);
  expect([timesSeen(id), await webhooks.deliveries(webhook)]).toEqual([0, []]);
  // Nothing is to add them up beside the tests that follow.
  for (const table of ['event_log_head', 'event_log']) {
    await webhooks.database.query(`delete from ${table} where account_id = $1`, [merchant.accountId]);
  }
});

test('an account counts one replay at a time and has five at most that are not done, without a place for others', async () => {
  const merchant = newMerchant();
  const ids = await logged(merchant, 2);
  const webhook = await webhooks.register(merchant, receiver.url);
  const theirs = await webhooks.register(newMerchant(), receiver.url);
  const refusal = { code: 'RATE_LIMITED' };
  await whileNoneIsGiven(async () => {
    expect(await replay(webhook)).toBe(2);
    for (let nth = 1; nth < 5; nth++) expect(await replay(webhook)).toBe(0);
    await expect(replay(webhook)).rejects.toMatchObject(refusal);
    expect(await replay(theirs)).toBe(0);
  });
  await eventually(() => expect(ids.map(timesSeen)).toEqual([1, 1]));
  await eventually(async () => expect(await replay(webhook)).toBe(0));
  await webhooks.database.transaction(async (tx) => {
    await tx.sql("select pg_advisory_xact_lock(hashtextextended('sent again ' || $1 || ' ' || $2, 0))", [
      ...[merchant.environment, merchant.accountId],
    ]);
    await expect(replay(webhook)).rejects.toMatchObject(refusal);
    expect(await replay(theirs)).toBe(0);
    await expect(replay({ ...webhook, accountId: newMerchant().accountId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

test('accounts take turns: a short replay does not wait for the end of a long one that was asked for before', async () => {
  const [long, short] = [newMerchant(), newMerchant()];
  await logged(long, 600);
  const [id = ''] = await logged(short, 1);
  const [patient, quick] = [await webhooks.register(long, receiver.url), await webhooks.register(short, receiver.url)];
  await whileNoneIsGiven(async () => expect([await replay(patient), await replay(quick)]).toEqual([600, 1]));
  await eventually(() => expect(timesSeen(id)).toBe(1));
  const enqueued = async () =>
    await webhooks.database.query<{ endpoint: string; count: number; last: string }>(
      'select endpoint_id as endpoint, count(*)::int as count, max(id) as last from delivery where endpoint_id = any($1) group by 1',
      [[patient.id, quick.id]],
    );
  await eventually(async () =>
    expect((await enqueued()).map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([1, 600]),
  );
  const last = Object.fromEntries((await enqueued()).map((row) => [row.endpoint, row.last]));
  expect(last[quick.id]! < last[patient.id]!).toBe(true);
});

test('a replay that cannot be given holds up no other', async () => {
  const [broken, sound] = [newMerchant(), newMerchant()];
  const [[unreadable], [id = '']] = [await logged(broken, 1), await logged(sound, 1)];
  const [stuck, open] = [await webhooks.register(broken, receiver.url), await webhooks.register(sound, receiver.url)];
  const subject = async (text: string) =>
    await webhooks.database.query('update event_log set subject = $2 where id = $1', [unreadable, text]);
  const [row] = await webhooks.database.query<{ subject: string }>('select subject from event_log where id = $1', [
    unreadable,
  ]);
  await subject('of-no-event');
  await whileNoneIsGiven(async () => expect([await replay(stuck), await replay(open)]).toEqual([1, 1]));
  await replay(open);
  await eventually(() => expect(timesSeen(id)).toBe(1));
  expect(timesSeen(unreadable!)).toBe(0);
  await subject(row!.subject);
});
