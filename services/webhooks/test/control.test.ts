import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RequestOf } from '@gateway/contracts/messages';
import {
  getDelivery,
  recoverDeliveries,
  redeliver,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Webhook,
} from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import { callRpc } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { newDeposit, newMerchant, paid, publishDeposit } from './support/events.ts';
import { Receiver, type ReceivedRequest } from './support/receiver.ts';
import { createHarness, type Harness } from './support/harness.ts';
import { waitingDeliveries } from './support/waiting-deliveries.ts';

let webhooks: Harness;
let service: AsyncDisposable;
beforeAll(async () => {
  webhooks = await createHarness();
  service = await webhooks.start();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await webhooks[Symbol.asyncDispose]();
});

const ownerOf = ({ environment, accountId }: Webhook) => ({ environment, accountId });
const update = (webhook: Webhook, change: Partial<RequestOf<typeof updateWebhook>>) =>
  callRpc(webhooks.bus, updateWebhook, { ...ownerOf(webhook), id: webhook.id, ...change });
const detailOf = async (webhook: Webhook, id: string) =>
  (await callRpc(webhooks.bus, getDelivery, { ...ownerOf(webhook), webhookId: webhook.id, id })).delivery;
const again = (webhook: Webhook, id: string) =>
  callRpc(webhooks.bus, redeliver, { ...ownerOf(webhook), webhookId: webhook.id, id });

async function deliveredOnce(receiver: Receiver) {
  const merchant = newMerchant();
  const webhook = await webhooks.register(merchant, receiver.url);
  await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
  const delivery = await eventually(async () => {
    const [found] = await webhooks.deliveries(webhook);
    expect(found).toMatchObject({ status: 'DELIVERED' });
    return found!;
  });
  return { merchant, webhook, delivery };
}

/** The signature a receiver computes. */
function signatureOf({ headers, body }: ReceivedRequest, secret: string): string {
  const text = createHmac('sha256', secret)
    .update(`${String(headers['x-gateway-timestamp'])}.`)
    .update(body);
  return `sha256=${text.digest('hex')}`;
}

describe('a delivery', () => {
  test('shows the bytes that were sent and every call that was made', async () => {
    await using receiver = await Receiver.start((response, _received, number) =>
      response.writeHead(number === 1 ? 500 : 201, { 'x-shop': 'ü' }).end(number === 1 ? 'busy' : 'thanks'),
    );
    const { webhook, delivery } = await deliveredOnce(receiver);
    const detail = await detailOf(webhook, delivery.id);
    expect(detail).toMatchObject({ ...delivery, requestBody: receiver.received[0]!.body.toString() });
    expect(detail.attemptLog).toMatchObject([
      { number: 1, trigger: 'first', url: receiver.url, responseStatus: 500, error: 'http_5xx', responseBody: 'busy' },
      { number: 2, trigger: 'immediate', responseStatus: 201, error: null, responseBody: 'thanks' },
    ]);
    expect(detail.attemptLog[0]?.requestHeaders['X-Gateway-Delivery-Id']).toBe(delivery.id);
    expect(detail.attemptLog[0]?.peerAddress).toBe('127.0.0.1');
    const stranger = { ...newMerchant(), webhookId: webhook.id, id: delivery.id };
    await expect(callRpc(webhooks.bus, getDelivery, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(detailOf(webhook, newId('delivery'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is sent again on demand, with the same ids', async () => {
    await using receiver = await Receiver.start();
    const { webhook, delivery } = await deliveredOnce(receiver);
    await again(webhook, delivery.id);
    await eventually(() => expect(receiver.received).toHaveLength(2));
    const [first, second] = receiver.received;
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers).toMatchObject({
      'x-gateway-delivery-id': delivery.id,
      'x-gateway-event-id': first?.headers['x-gateway-event-id'],
      'x-gateway-attempt': '2',
    });
    await eventually(async () => {
      const detail = await detailOf(webhook, delivery.id);
      expect(detail).toMatchObject({ status: 'DELIVERED', attempts: 2 });
      expect(detail.attemptLog.map(({ trigger }) => trigger)).toEqual(['first', 'manual']);
    });
  });

  test('of another endpoint is not found through this one, by reading it or by sending it again', async () => {
    await using receiver = await Receiver.start();
    const { webhook, delivery } = await deliveredOnce(receiver);
    const foreign = await webhooks.register(newMerchant(), receiver.url);
    expect((await detailOf(webhook, delivery.id)).id).toBe(delivery.id);
    await expect(detailOf(foreign, delivery.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(again(foreign, delivery.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('that is leased as it is written counts as a call of its queue until it is recorded', async () => {
    const held: { end(): void }[] = [];
    await using receiver = await Receiver.start((response) => void held.push(response));
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    const callsUnderWay = () =>
      webhooks.database.query('select inflight from endpoint_queue where endpoint_id = $1', [webhook.id]);
    await publishDeposit(webhooks.bus, newDeposit(merchant));
    await eventually(() => expect(held).toHaveLength(1));
    expect(await callsUnderWay()).toEqual([{ inflight: 1 }]);
    held[0]?.end();
    await eventually(async () => expect(await callsUnderWay()).toEqual([{ inflight: 0 }]));
  });

  test('is not sent again to an endpoint that is disabled', async () => {
    await using receiver = await Receiver.start();
    const { webhook, delivery } = await deliveredOnce(receiver);
    await update(webhook, { status: 'disabled' });
    await expect(again(webhook, delivery.id)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a recovery', () => {
  test('sends everything again that failed in its window, and nothing else', async () => {
    await using receiver = await Receiver.start((response) => response.writeHead(500).end());
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    const [old, failed, delivered] = [newDeposit(merchant), newDeposit(merchant), newDeposit(merchant)];
    for (const deposit of [old, failed]) await publishDeposit(webhooks.bus, deposit);
    await eventually(async () => expect(await webhooks.deliveries(webhook)).toHaveLength(2));
    await eventually(async () => {
      await webhooks.database.query(
        `update delivery set state = 3, created_at = case when data_id = $2 then created_at else created_at end
          where endpoint_id = $1 and state = 0 and attempts = 3`,
        [webhook.id, old.id],
      );
      expect(await webhooks.deliveries(webhook, { status: 'FAILED' })).toHaveLength(2);
    });
    receiver.answer = (response) => response.writeHead(200).end();
    await publishDeposit(webhooks.bus, paid(delivered));
    await eventually(async () => expect(await webhooks.deliveries(webhook, { status: 'DELIVERED' })).toHaveLength(1));
    const calls = receiver.received.length;
    const request = { ...ownerOf(webhook), webhookId: webhook.id };
    const nothing = await callRpc(webhooks.bus, recoverDeliveries, { ...request, since: 0, until: 1_000 });
    expect(nothing).toEqual({ count: 0 });
    expect(await callRpc(webhooks.bus, recoverDeliveries, { ...request, since: 0 })).toEqual({ count: 2 });
    await eventually(async () => expect(await webhooks.deliveries(webhook, { status: 'DELIVERED' })).toHaveLength(3));
    expect(receiver.received).toHaveLength(calls + 2);
  });
});

describe('a test call', () => {
  test('sends a signed sample nobody takes for a payment, and answers what became of it', async () => {
    await using receiver = await Receiver.start((response) => response.writeHead(418).end());
    const webhook = await webhooks.register(newMerchant(), receiver.url);
    const request = { ...ownerOf(webhook), id: webhook.id };
    const answer = await callRpc(webhooks.bus, testWebhook, request);
    expect(answer).toMatchObject({ delivered: false, responseStatus: 418, error: 'http_4xx' });
    const [received] = receiver.received;
    const body = JSON.parse(received!.body.toString()) as { event: string; data: { id: string } };
    expect(body.event).toBe('deposit.paid');
    expect(body.data.id).toMatch(/^dep_test/);
    expect(body.data).toMatchObject({ e2e_id: expect.stringMatching(/^E[0-9A-Za-z]{31}$/) as string });
    expect(received?.headers['x-gateway-signature']).toBe(signatureOf(received!, webhook.secret));
    expect(await webhooks.deliveries(webhook)).toEqual([]);
  });
});

describe('a rotation', () => {
  test('signs with both secrets until the overlap is over, then with the new one, also in the next overlap', async () => {
    await using receiver = await Receiver.start();
    const webhook = await webhooks.register(newMerchant(), receiver.url);
    const sendOne = async () => {
      const count = receiver.received.length;
      await publishDeposit(webhooks.bus, paid(newDeposit(webhook)));
      return await eventually(() => {
        expect(receiver.received).toHaveLength(count + 1);
        return receiver.received[count]!;
      });
    };
    const rotate = async (overlapSec: number) =>
      (await callRpc(webhooks.bus, rotateWebhookSecret, { ...ownerOf(webhook), id: webhook.id, overlapSec })).secret;

    const next = await rotate(86_400);
    const during = await sendOne();
    expect(during.headers['x-gateway-signature']).toBe(signatureOf(during, webhook.secret));
    expect(during.headers['x-gateway-signature-next']).toBe(signatureOf(during, next));
    expect(String(during.headers['webhook-signature']).split(' ')).toHaveLength(2);

    await webhooks.database.query('update endpoint set next_secret_at = now() where id = $1', [webhook.id]);
    const after = await sendOne();
    expect(after.headers['x-gateway-signature']).toBe(signatureOf(after, next));
    expect(after.headers['x-gateway-signature-next']).toBeUndefined();

    const following = await rotate(86_400);
    const overlapping = await sendOne();
    expect(overlapping.headers['x-gateway-signature']).toBe(signatureOf(overlapping, next));
    expect(overlapping.headers['x-gateway-signature-next']).toBe(signatureOf(overlapping, following));

    const third = await rotate(0);
    const last = await sendOne();
    expect(last.headers['x-gateway-signature']).toBe(signatureOf(last, third));
  });
});

describe('an endpoint', () => {
  test('that is paused keeps its backlog and gets it when it is resumed', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    expect((await update(webhook, { status: 'paused' })).webhook).toMatchObject({ status: 'paused' });
    for (let i = 0; i < 5; i++) await publishDeposit(webhooks.bus, newDeposit(merchant));
    await eventually(async () => {
      const waiting = await webhooks.deliveries(webhook, { status: 'PENDING' });
      expect(waiting.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, null, null, null, null]);
    });
    const before = await waitingDeliveries(webhooks.bus);
    expect(receiver.received).toEqual([]);
    await update(webhook, { status: 'enabled' });
    await eventually(() => expect(receiver.received).toHaveLength(5));
    await eventually(async () => expect(await waitingDeliveries(webhooks.bus)).toBeLessThanOrEqual(before - 5));
  });

  test('that is disabled is not recorded for, and gets what comes once it is enabled again', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    const other = await webhooks.register(merchant, receiver.url);
    await update(webhook, { status: 'disabled' });
    await publishDeposit(webhooks.bus, newDeposit(merchant));
    await eventually(async () => expect(await webhooks.deliveries(other)).toHaveLength(1));
    expect(await webhooks.deliveries(webhook)).toEqual([]);
    await update(webhook, { status: 'enabled' });
    await publishDeposit(webhooks.bus, newDeposit(merchant));
    await eventually(async () => expect(await webhooks.deliveries(webhook)).toMatchObject([{ status: 'DELIVERED' }]));
  });

  test('that moves is called at its new address, also for what waited', async () => {
    await using old = await Receiver.start((response) => response.writeHead(500).end());
    await using current = await Receiver.start();
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, old.url);
    await publishDeposit(webhooks.bus, newDeposit(merchant));
    await eventually(() => expect(old.received.length).toBeGreaterThan(0));
    const changed = await update(webhook, { url: current.url, name: 'moved', events: ['deposit.pending'] });
    expect(changed.webhook).toMatchObject({ url: current.url, name: 'moved', events: ['deposit.pending'] });
    await eventually(() => expect(current.received).toHaveLength(1));
    await eventually(async () => {
      const [delivery] = await webhooks.deliveries(webhook);
      const urls = (await detailOf(webhook, delivery!.id)).attemptLog.map(({ url }) => url);
      expect([urls.at(0), urls.at(-1)]).toEqual([old.url, current.url]);
    });
    await expect(update(webhook, { url: 'http://169.254.169.254/' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'url' }],
    });
  });

  test('whose receiver asks for it is disabled, visibly, and says so on the bus', async () => {
    await using receiver = await Receiver.start((response) =>
      response.writeHead(400, { 'webhook-delivery': 'disable' }).end(),
    );
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    await publishDeposit(webhooks.bus, newDeposit(merchant));
    await eventually(async () => {
      const { webhook: now } = await update(webhook, {});
      expect(now).toMatchObject({ status: 'disabled', disabledReason: 'asked_to_stop' });
    });
    await eventually(async () => {
      const message = await webhooks.bus.manager.streams.getMessage('EVENTS_WEBHOOKS', {
        last_by_subj: 'event.webhooks.webhook.disabled.v1',
      });
      expect(message?.json()).toMatchObject({ reason: 'asked_to_stop', webhook: { id: webhook.id } });
    });
    expect(receiver.received).toHaveLength(1);
  });

  test('that answers 410 for more than ten minutes is disabled', async () => {
    await using receiver = await Receiver.start((response) => response.writeHead(410).end());
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    await publishDeposit(webhooks.bus, newDeposit(merchant));
    await eventually(() => expect(receiver.received).toHaveLength(3));
    await eventually(async () => expect(await webhooks.deliveries(webhook)).toMatchObject([{ attempts: 3 }]));
    await webhooks.database.query(
      `update endpoint_queue set gone_since = gone_since - interval '10 minutes' where endpoint_id = $1`,
      [webhook.id],
    );
    await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
    await eventually(async () => {
      expect((await update(webhook, {})).webhook).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    });
  });
});

describe('the end of a day', () => {
  test('ends what was kept for a paused endpoint', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    await update(webhook, { status: 'paused' });
    await publishDeposit(webhooks.bus, newDeposit(merchant));
    await eventually(async () => expect(await webhooks.deliveries(webhook)).toHaveLength(1));
    await webhooks.database.query(
      `update delivery set due_at = due_at - interval '25 hours', expires_at = expires_at - interval '25 hours'
        where endpoint_id = $1`,
      [webhook.id],
    );
    await update(webhook, { status: 'enabled' });
    await eventually(async () => {
      expect(await webhooks.deliveries(webhook)).toMatchObject([{ status: 'FAILED', error: 'expired', attempts: 0 }]);
    });
    expect(receiver.received).toEqual([]);
  });
});
