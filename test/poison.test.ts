import { afterAll, beforeAll, expect, test } from 'vitest';
import { streams, type StreamContract } from '@gateway/contracts/broker';
import { ConversionCompleted } from '@gateway/contracts/conversions';
import { DepositPaid } from '@gateway/contracts/deposits';
import { DisputeHoldingChanged } from '@gateway/contracts/ledger';
import { WebhookFailing } from '@gateway/contracts/webhooks';
import type { ServiceName } from '@gateway/contracts/messages';
import { ExportCompleted } from '@gateway/contracts/exports';
import { PayoutPaid } from '@gateway/contracts/payouts';
import { providerNotificationSubject } from '@gateway/contracts/providers';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { connectBus, type Bus } from '@gateway/messaging';
import { eventually, poisonMessages, silentLogger } from '@gateway/test-kit';
import { MerchantClient, type Json } from './support/merchant-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

const handledWithin = { timeoutMs: 120_000, everyMs: 500 };
const stopping = new AsyncDisposableStack();
let stack: Stack;
let receiver: WebhookReceiver;
let bus: Bus;

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  receiver = stopping.use(await startWebhookReceiver());
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true }));
  bus = stopping.use(await connectBus({ url: stack.natsUrl, name: 'test', logger: silentLogger }));
});
afterAll(async () => stopping.disposeAsync());

/** Every reader of a stream, with a subject whose messages it parses. */
const readings: readonly (readonly [ServiceName, string, StreamContract])[] = [
  ['webhooks', DepositPaid.subject, streams.depositsEvents],
  ['webhooks', PayoutPaid.subject, streams.payoutsEvents],
  ['webhooks', ConversionCompleted.subject, streams.ledgerEvents],
  ['webhooks', WebhookFailing.subject, streams.webhooksEvents],
  ['webhooks', ExportCompleted.subject, streams.gatewayEvents],
  ['deposits', DisputeHoldingChanged.subject, streams.ledgerEvents],
  ['deposits', providerNotificationSubject('efi'), streams.providerNotifications],
  ['payouts', providerNotificationSubject('woovi'), streams.providerNotifications],
  ['ledger', 'command.ledger.live.0.credit-deposit.v1', streams.ledgerCommandsLive],
  ['ledger', 'command.ledger.test.0.credit-deposit.v1', streams.ledgerCommandsTest],
];

async function operate(path: string): Promise<Json> {
  const headers = { authorization: `Bearer ${stack.dev.ops_tokens[0]}` };
  return await (await fetch(`${stack.opsUrl}${path}`, { headers })).json();
}

test('every durable reader of a stream is among those that are tried', () => {
  const declared = Object.values<StreamContract>(streams).flatMap(({ name, readers = [] }) =>
    readers.map(({ service }) => `${service} ${name}`),
  );
  expect(readings.map(([service, , { name }]) => `${service} ${name}`)).toEqual(expect.arrayContaining(declared));
});

test.each(readings)('%s sets aside each message that it cannot handle on %s, and goes on', async (service, subject) => {
  const corpus = poisonMessages();
  for (const { body, headers } of corpus) await bus.jetstream.publish(subject, body, headers ? { headers } : {});
  await eventually(async () => {
    const { data } = await operate(`/ops/dead-letters?limit=100&service=${service}&subject=${subject}`);
    expect(data).toHaveLength(corpus.length);
  }, handledWithin);
});

test('what comes behind all of that is handled: a payment, a payout and a payment at a live provider are told to their merchant', async () => {
  const [demo] = stack.dev.merchants;
  if (!demo) throw new Error('the stack made no demo merchant');
  const merchant = new MerchantClient(stack.baseUrl, demo.test);
  const live = new MerchantClient(stack.baseUrl, demo.live);
  for (const client of [merchant, live]) {
    expect((await client.post('/v1/webhooks', { name: 'r', url: receiver.url })).status).toBe(201);
  }
  const { body: deposit } = await merchant.post('/v1/deposits', { amount_cents: 10_000, external_id: 'behind' });
  // Asked again while the answer is 503, as a merchant does; 409 says that an earlier call has paid it.
  await eventually(async () => {
    const { status } = await merchant.post(`/v1/test/deposits/${String(deposit.id)}/pay`);
    expect([200, 409]).toContain(status);
  }, handledWithin);
  const recipient = { name: 'Maria da Silva', document: '529.982.247-25' };
  const payout = { amount_cents: 100, external_id: 'behind', pix_key: 'maria@example.com', pix_key_type: 'email' };
  expect((await merchant.post('/v1/payouts', { ...payout, recipient })).status).toBeLessThan(300);
  const { body: charge } = await live.post('/v1/deposits', { amount_cents: 10_000, external_id: 'behind' });
  const reference = String(charge.id).slice('dep_'.length);
  const headers = { 'content-type': 'application/json' };
  await fetch(`${stack.simulatorUrl}/control/charges/${reference}/pay`, { method: 'POST', headers, body: '{}' });
  await eventually(() => {
    for (const id of [deposit.id, charge.id]) expect(receiver.of('deposit.paid', String(id))).toHaveLength(1);
    expect(receiver.received.filter(({ body }) => body.event === 'payout.paid')).toHaveLength(1);
  }, handledWithin);
});
