import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RequestOf } from '@gateway/contracts/messages';
import { getDelivery, getWebhook, registerWebhook, testWebhook, updateWebhook } from '@gateway/contracts/webhooks';
import { callRpc } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { newDeposit, newMerchant, paid, publishDeposit, type Merchant } from './support/events.ts';
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

type Given = Partial<RequestOf<typeof registerWebhook>>;

async function register(merchant: Merchant, url: string, given: Given) {
  const request = { ...merchant, apiVersion: '0.1' as const, name: 'shop', url, events: [], ...given };
  return (await callRpc(webhooks.bus, registerWebhook, request)).webhook;
}

describe('headers of an endpoint', () => {
  const headers = { Authorization: 'Bearer never-shown', 'X-Tenant': '7' };

  test('come with each delivery and with the test call, and are shown nowhere', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const { id, headerNames } = await register(merchant, receiver.url, { headers });
    expect(headerNames).toEqual(['Authorization', 'X-Tenant']);
    await callRpc(webhooks.bus, testWebhook, { ...merchant, id });
    await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
    await eventually(() => expect(receiver.received).toHaveLength(2));
    for (const request of receiver.received) {
      expect(request.headers).toMatchObject({ authorization: 'Bearer never-shown', 'x-tenant': '7' });
    }
    const log = await eventually(async () => {
      const { webhook } = await callRpc(webhooks.bus, getWebhook, { ...merchant, id });
      const [delivery] = await webhooks.deliveries(webhook, { status: 'DELIVERED' });
      return await callRpc(webhooks.bus, getDelivery, { ...merchant, webhookId: id, id: delivery?.id ?? '' });
    });
    expect(log.delivery.attemptLog[0]?.requestHeaders).toMatchObject({ Authorization: '***', 'X-Tenant': '***' });
    const stored = await Promise.all(
      ['endpoint', 'attempt'].map((table) => webhooks.database.query(`select * from ${table}`)),
    );
    expect(JSON.stringify(stored)).not.toContain('never-shown');
  });

  test('are not sent to another origin unless they are given again with their values', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const { id } = await register(merchant, receiver.url, { headers });
    const change = (changes: Partial<RequestOf<typeof updateWebhook>>) =>
      callRpc(webhooks.bus, updateWebhook, { ...merchant, id, ...changes });
    await using elsewhere = await Receiver.start();
    const { url } = elsewhere;
    const unseen = (name: string) => expect.objectContaining({ path: `headers.${name}` }) as unknown;
    await expect(change({ url })).rejects.toMatchObject({ details: [unseen('Authorization'), unseen('X-Tenant')] });
    await expect(change({ url, headers: { Authorization: '***', 'X-Tenant': '8' } })).rejects.toMatchObject({
      details: [unseen('Authorization')],
    });
    expect((await callRpc(webhooks.bus, getWebhook, { ...merchant, id })).webhook.url).toBe(receiver.url);
    expect((await change({ url: `${receiver.url}/elsewhere` })).webhook.headerNames).toEqual([
      'Authorization',
      'X-Tenant',
    ]);
    expect((await change({ url, headers: {} })).webhook.url).toBe(url);
  });

  test('are replaced as a whole; one that is written back as it is shown keeps its value', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const { id } = await register(merchant, receiver.url, { headers });
    const change = (changed: Record<string, string>) =>
      callRpc(webhooks.bus, updateWebhook, { ...merchant, id, headers: changed });
    await change({ authorization: '***', 'X-New': '1' });
    await callRpc(webhooks.bus, testWebhook, { ...merchant, id });
    expect(receiver.received[0]?.headers).toMatchObject({ authorization: 'Bearer never-shown', 'x-new': '1' });
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-tenant');
    await expect(change({ 'X-Unknown': '***' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'headers.X-Unknown' }],
    });
    expect((await change({})).webhook.headerNames).toEqual([]);
  });

  test.each<Record<string, string>>([
    { 'x-a': 'b\r\nx-evil: 1' },
    { 'X-Gateway-Signature': 'sha256=00' },
    { 'content-length': '0' },
  ])('F25 are refused when they would add or replace others: %j', async (evil) => {
    const refused = register(newMerchant(), 'https://shop.invalid/', { headers: evil });
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('a rate limit', () => {
  test('lets half a second’s worth through at once and the rest one after another; lifted, nothing waits', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const { id } = await register(merchant, receiver.url, { rateLimitPerSecond: 1 });
    for (let n = 0; n < 5; n++) await publishDeposit(webhooks.bus, newDeposit(merchant));
    await eventually(() => expect(receiver.received).toHaveLength(2));
    const [queue] = await webhooks.database.query<{ owed: number }>(
      `select extract(epoch from spent_until - now())::float8 as owed from endpoint_queue where endpoint_id = $1`,
      [id],
    );
    expect(queue?.owed).toBeLessThanOrEqual(1);
    const { webhook } = await callRpc(webhooks.bus, updateWebhook, { ...merchant, id, rateLimitPerSecond: null });
    expect(webhook.rateLimitPerSecond).toBeNull();
    await eventually(async () => expect(await webhooks.deliveries(webhook, { status: 'DELIVERED' })).toHaveLength(5));
  });
});
