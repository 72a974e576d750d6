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
  expect(await Promise.all([replay(webhook), replay(webhook)]).then((counts) => counts.toSorted())).toEqual([0, 10]);
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
