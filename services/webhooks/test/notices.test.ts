import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { simulateWebhookFailure, testWebhook } from '@gateway/contracts/webhooks';
import { callRpc } from '@gateway/messaging';
import { parseBrCode } from '@gateway/pix';
import { presentDeposit, type DepositResource } from '@gateway/public-api';
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

describe('a webhook', () => {
  test('that is disabled is reported to the account’s other webhooks, and not to itself', async () => {
    await using stopping = await Receiver.start((response) =>
      response.writeHead(400, { 'webhook-delivery': 'disable' }).end(),
    );
    await using other = await Receiver.start();
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, stopping.url);
    await webhooks.register(merchant, other.url, ['webhook.disabled']);
    await publishDeposit(webhooks.bus, newDeposit(merchant));
    const [told] = await eventually(() => {
      expect(other.received).toHaveLength(1);
      return other.received.map(({ body }) => JSON.parse(body.toString()) as object);
    });
    expect(told).toMatchObject({
      event: 'webhook.disabled',
      environment: merchant.environment,
      data: {
        id: webhook.id,
        object: 'webhook',
        url: stopping.url,
        status: 'disabled',
        disabled_reason: 'asked_to_stop',
      },
    });
    expect(stopping.received).toHaveLength(1);
  });

  test('of test mode is reported as failing and as disabled on demand, and a disabled one is not disabled again', async () => {
    await using receiver = await Receiver.start();
    await using other = await Receiver.start();
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    await webhooks.register(merchant, other.url, ['webhook.failing', 'webhook.disabled']);
    const by = { environment: 'test', accountId: merchant.accountId, id: webhook.id } as const;
    const options = { timeoutMs: 10_000 };
    await callRpc(webhooks.bus, simulateWebhookFailure, { ...by, result: 'failing' }, options);
    const { webhook: disabled } = await callRpc(
      webhooks.bus,
      simulateWebhookFailure,
      { ...by, result: 'disabled' },
      options,
    );
    expect(disabled).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    await eventually(() => {
      const names = other.received.map(({ body }) => (JSON.parse(body.toString()) as { event: string }).event);
      expect(names.toSorted()).toEqual(['webhook.disabled', 'webhook.failing']);
    });
    await publishDeposit(webhooks.bus, newDeposit(merchant));
    const again = callRpc(webhooks.bus, simulateWebhookFailure, { ...by, result: 'failing' }, options);
    await expect(again).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(receiver.received).toEqual([]);
  });

  test('whose every call has failed for an hour is reported to the account’s other webhooks, and not to itself', async () => {
    await using failing = await Receiver.start((response) => response.writeHead(500).end());
    await using other = await Receiver.start();
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, failing.url);
    await webhooks.register(merchant, other.url, ['webhook.failing']);
    await publishDeposit(webhooks.bus, newDeposit(merchant));
    await eventually(async () => expect(await webhooks.deliveries(webhook)).toMatchObject([{ attempts: 3 }]));
    await webhooks.database.query(
      `update endpoint_queue set failing_since = now() - interval '61 minutes' where endpoint_id = $1`,
      [webhook.id],
    );
    await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
    const [told] = await eventually(() => {
      expect(other.received).toHaveLength(1);
      return other.received.map(({ body }) => JSON.parse(body.toString()) as object);
    });
    expect(told).toMatchObject({
      event: 'webhook.failing',
      data: { id: webhook.id, object: 'webhook', status: 'enabled', failing_hours: 1 },
    });
    // Added in the same transaction as the other's, if at all.
    expect(await webhooks.deliveries(webhook, { event: 'webhook.failing' })).toEqual([]);
  });
});

describe('the sample of a test call', () => {
  test('has every member that a real deposit.paid may have, with a value and a code that can be read', async () => {
    await using receiver = await Receiver.start();
    const webhook = await webhooks.register(newMerchant(), receiver.url);
    await callRpc(webhooks.bus, testWebhook, {
      environment: webhook.environment,
      accountId: webhook.accountId,
      id: webhook.id,
    });
    const text = receiver.received[0]?.body.toString() ?? '';
    const { data } = JSON.parse(text) as { data: DepositResource };
    const payerDetails = { name: 'Ana', document: null, bank: null, ispb: null };
    const real = presentDeposit(paid(newDeposit(webhook, { payerDetails })));
    expect(Object.keys(data).toSorted()).toEqual(Object.keys(real).toSorted());
    expect(text).not.toContain('null');
    expect(parseBrCode(data.pix.emv ?? '').ok).toBe(true);
    expect(data.e2e_id).toContain(data.payer_details?.ispb);
  });
});
