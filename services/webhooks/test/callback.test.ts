import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listWebhooks, rotateCallbackSecret } from '@gateway/contracts';
import { callRpc } from '@gateway/service-kit';
import { eventually } from '@gateway/service-kit/testing';
import { newDeposit, newMerchant, paid, publishDeposit, publishDispute } from './support/events.ts';
import { Receiver } from './support/receiver.ts';
import { createWebhooksTest, type WebhooksTest } from './support/webhooks.ts';

let webhooks: WebhooksTest;
let service: AsyncDisposable;
beforeAll(async () => {
  webhooks = await createWebhooksTest();
  service = await webhooks.start();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await webhooks[Symbol.asyncDispose]();
});

describe('a callback URL', () => {
  test('gets the events of its deposit, signed with the callback secret of the account', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const { secret } = await callRpc(webhooks.bus, rotateCallbackSecret, merchant);
    const deposit = newDeposit(merchant, { callbackUrl: `${receiver.url}?order=1` });
    const other = newDeposit(merchant);
    await publishDeposit(webhooks.bus, deposit);
    await publishDeposit(webhooks.bus, paid(other));
    await publishDeposit(webhooks.bus, paid(deposit));
    await eventually(() => expect(receiver.received).toHaveLength(2));
    expect(receiver.paths).toEqual(['/hook?order=1', '/hook?order=1']);
    for (const { headers, body } of receiver.received) {
      const text = createHmac('sha256', secret)
        .update(`${String(headers['x-gateway-timestamp'])}.`)
        .update(body);
      expect(headers['x-gateway-signature']).toBe(`sha256=${text.digest('hex')}`);
      expect((JSON.parse(body.toString()) as { data: { id: string } }).data.id).toBe(deposit.id);
    }
  });

  test('gets the disputes of its deposit', async () => {
    await using receiver = await Receiver.start();
    const callback = { url: receiver.url, apiVersion: '0.1' } as const;
    const { id } = await publishDispute(webhooks.bus, newMerchant(), callback);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const [told] = receiver.received.map(({ body }) => JSON.parse(body.toString()) as object);
    expect(told).toMatchObject({ event: 'med.opened', data: { id, object: 'dispute' } });
  });

  test('shares its lane with the others of its origin, and is none of the merchant’s webhooks', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const urls = ['?order=1', '?order=2', '?order=3'].map((query) => `${receiver.url}${query}`);
    for (const callbackUrl of urls) await publishDeposit(webhooks.bus, newDeposit(merchant, { callbackUrl }));
    await eventually(() => expect(receiver.received).toHaveLength(3));
    const endpoints = await webhooks.database.query('select url from endpoint where account_id = $1', [
      merchant.accountId,
    ]);
    expect(endpoints).toEqual([{ url: new URL(receiver.url).origin }]);
    expect(await callRpc(webhooks.bus, listWebhooks, { ...merchant, limit: 10 })).toEqual({
      webhooks: [],
      nextCursor: null,
    });
  });

  test('is signed with the new secret once it was replaced', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    await publishDeposit(webhooks.bus, newDeposit(merchant, { callbackUrl: receiver.url }));
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const { secret } = await callRpc(webhooks.bus, rotateCallbackSecret, merchant);
    await publishDeposit(webhooks.bus, newDeposit(merchant, { callbackUrl: receiver.url }));
    const { headers, body } = await eventually(() => {
      expect(receiver.received).toHaveLength(2);
      return receiver.received[1]!;
    });
    const text = createHmac('sha256', secret)
      .update(`${String(headers['x-gateway-timestamp'])}.`)
      .update(body);
    expect(headers['x-gateway-signature']).toBe(`sha256=${text.digest('hex')}`);
  });
});
