import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RequestOf } from '@gateway/contracts/messages';
import {
  findDeliveries,
  findWebhookRecord,
  getAccountDelivery,
  redeliverAccountDelivery,
} from '@gateway/contracts/webhooks';
import { callRpc } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { removeIdleCallbacks } from '#src/subscriptions/remove-idle-callbacks.ts';
import { newDeposit, newMerchant, paid, publishDeposit } from './support/events.ts';
import { Receiver } from './support/receiver.ts';
import { createHarness, type Harness } from './support/harness.ts';

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

describe('the deliveries of a record', () => {
  const find = async (request: Partial<RequestOf<typeof findDeliveries>>) =>
    await callRpc(webhooks.bus, findDeliveries, { limit: 50, ...request });

  test('to a callback URL are read and sent again, also when nothing waits there any more', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const deposit = newDeposit(merchant, { callbackUrl: `${receiver.url}?order=1` });
    const { id: eventId } = await publishDeposit(webhooks.bus, deposit);
    await eventually(async () => {
      await removeIdleCallbacks(webhooks.database);
      const left = await webhooks.database.query('select 1 from endpoint where account_id = $1', [merchant.accountId]);
      expect([receiver.received.length, left.length]).toEqual([1, 0]);
    });
    const owned = { ...merchant, dataId: deposit.id };
    const { deliveries, nextCursor } = await find(owned);
    expect(deliveries).toMatchObject([
      { status: 'DELIVERED', webhookId: null, callbackUrl: deposit.callbackUrl, event: 'deposit.pending', ...merchant },
    ]);
    expect(nextCursor).toBeNull();

    const request = { ...merchant, id: deliveries[0]?.id ?? '' };
    const { delivery } = await callRpc(webhooks.bus, getAccountDelivery, request);
    expect(JSON.parse(delivery.requestBody ?? '')).toMatchObject({ id: eventId, event: 'deposit.pending' });
    expect(delivery.attemptLog).toMatchObject([{ url: deposit.callbackUrl, responseStatus: 204 }]);

    const found = await callRpc(webhooks.bus, findWebhookRecord, { id: request.id });
    expect(found).toMatchObject({ webhook: null, delivery: { id: request.id, ...merchant } });
    const unknown = await callRpc(webhooks.bus, findWebhookRecord, { id: 'dlv_1' });
    expect(unknown).toEqual({ webhook: null, delivery: null });

    const again = await callRpc(webhooks.bus, redeliverAccountDelivery, request);
    expect([again.before.status, again.delivery.status]).toEqual(['DELIVERED', 'PENDING']);
    await eventually(() => expect(receiver.paths).toEqual(['/hook?order=1', '/hook?order=1']));
    const ids = receiver.received.map(({ headers }) => headers['x-gateway-event-id']);
    expect(ids).toEqual([eventId, eventId]);
  });

  test('are those of its account alone', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const deposit = newDeposit(merchant, { callbackUrl: receiver.url });
    await publishDeposit(webhooks.bus, deposit);
    const id = await eventually(async () => {
      const { deliveries } = await find({ ...merchant, dataId: deposit.id });
      expect(deliveries).toMatchObject([{ status: 'DELIVERED' }]);
      return deliveries[0]?.id ?? '';
    });
    const others = [newMerchant(), { ...merchant, environment: 'live' as const }];
    for (const other of others) {
      expect((await find({ ...other, dataId: deposit.id })).deliveries).toEqual([]);
      const request = { ...other, id };
      const missing = { code: 'NOT_FOUND' };
      await expect(callRpc(webhooks.bus, getAccountDelivery, request)).rejects.toMatchObject(missing);
      await expect(callRpc(webhooks.bus, redeliverAccountDelivery, request)).rejects.toMatchObject(missing);
    }
    expect(receiver.received).toHaveLength(1);
  });

  test('are listed at all webhooks and the callback URL together, newest first and page by page', async () => {
    await using receiver = await Receiver.start((response, { body }) =>
      response.writeHead(body.includes('deposit.paid') ? 500 : 204).end(),
    );
    const merchant = newMerchant();
    const hooks = [await webhooks.register(merchant, receiver.url), await webhooks.register(merchant, receiver.url)];
    const deposit = newDeposit(merchant, { callbackUrl: receiver.url });
    await publishDeposit(webhooks.bus, deposit);
    await publishDeposit(webhooks.bus, paid(deposit));
    await publishDeposit(webhooks.bus, newDeposit(merchant));
    const all = await eventually(async () => {
      const { deliveries } = await find({ dataId: deposit.id });
      expect(deliveries).toHaveLength(6);
      expect(deliveries.filter(({ status }) => status === 'DELIVERED')).toHaveLength(3);
      return deliveries;
    });
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().reverse());
    expect(new Set(all.map(({ webhookId }) => webhookId))).toEqual(new Set([null, ...hooks.map(({ id }) => id)]));
    const first = await find({ dataId: deposit.id, limit: 4 });
    const second = await find({ dataId: deposit.id, limit: 4, cursor: first.nextCursor ?? '' });
    expect([...first.deliveries, ...second.deliveries].map(({ id }) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();

    expect((await find({ dataId: deposit.id, event: 'deposit.paid', status: 'PENDING' })).deliveries).toHaveLength(3);
    await eventually(async () => {
      const ofAccount = await find({ accountId: merchant.accountId, status: 'DELIVERED', limit: 5 });
      expect(ofAccount.deliveries.map(({ dataId }) => dataId)).toContain(deposit.id);
      expect(ofAccount.deliveries.length).toBeGreaterThanOrEqual(4);
    });
    const foreign = { dataId: deposit.id, cursor: `dlv_${'0'.repeat(26)}` };
    await expect(find(foreign)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'cursor' }] });
  });

  test('of a webhook that was removed are shown, and not sent again', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    const deposit = newDeposit(merchant);
    await publishDeposit(webhooks.bus, deposit);
    const id = await eventually(async () => {
      const { deliveries } = await find({ ...merchant, dataId: deposit.id });
      expect(deliveries).toMatchObject([{ status: 'DELIVERED', webhookId: webhook.id }]);
      return deliveries[0]?.id ?? '';
    });
    await webhooks.remove(webhook);
    expect((await find({ ...merchant, dataId: deposit.id })).deliveries).toMatchObject([{ id }]);
    await expect(callRpc(webhooks.bus, redeliverAccountDelivery, { ...merchant, id })).rejects.toMatchObject({
      code: 'INVALID_STATE',
    });
  });
});
