import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callRpc } from '@gateway/messaging';
import { listDeliveries } from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
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

describe('a delivery log', () => {
  test('is filtered and paged newest first', async () => {
    await using receiver = await Receiver.start((response, { body }) =>
      response.writeHead(body.includes('deposit.paid') ? 200 : 500).end(),
    );
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    const deposits = [newDeposit(merchant), newDeposit(merchant)];
    for (const deposit of deposits) await publishDeposit(webhooks.bus, paid(deposit));
    await eventually(async () => expect(await webhooks.deliveries(webhook, { status: 'DELIVERED' })).toHaveLength(2));
    await publishDeposit(webhooks.bus, newDeposit(merchant));
    await eventually(async () => expect(await webhooks.deliveries(webhook, { status: 'PENDING' })).toHaveLength(1));
    expect(await webhooks.deliveries(webhook, { event: 'deposit.paid' })).toHaveLength(2);
    expect(await webhooks.deliveries(webhook, { dataId: deposits[0]!.id })).toMatchObject([
      { dataId: deposits[0]!.id },
    ]);
    expect(await webhooks.deliveries(webhook, { status: 'FAILED' })).toEqual([]);

    const all = await webhooks.deliveries(webhook);
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .reverse(),
    );
    const request = { ...merchant, webhookId: webhook.id, limit: 2 };
    const first = await callRpc(webhooks.bus, listDeliveries, request);
    const second = await callRpc(webhooks.bus, listDeliveries, { ...request, cursor: first.nextCursor! });
    expect([...first.deliveries, ...second.deliveries].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(second.nextCursor).toBeNull();
    await expect(
      callRpc(webhooks.bus, listDeliveries, { ...request, cursor: newId('delivery') }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(callRpc(webhooks.bus, listDeliveries, { ...request, ...newMerchant() })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
