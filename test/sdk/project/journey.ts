import {
  ExternalIdReusedError,
  Gateway,
  InsufficientFundsError,
  ProviderTimeoutError,
  type GatewayOptions,
} from '@gateway/sdk';
import { magicKeys, sampleEvent, signedDelivery } from '@gateway/sdk/testing';
import { verifyWebhook } from '@gateway/sdk/webhooks';

export { resilience } from './resilience.js';

export type Connection = Pick<GatewayOptions, 'baseUrl' | 'publicKey' | 'secretKey'>;

const recipient = { name: 'Maria da Silva', document: '529.982.247-25' };

/** What a shop does first, by contract 0.1. @returns what came of each step */
export async function journey(connection: Connection, order: string): Promise<Record<string, unknown>> {
  return { ...(await calls(connection, order)), streamed: await streamed(new Gateway(connection)) };
}

/** The first payment, by the stream of events. */
async function streamed(gateway: Gateway): Promise<string | undefined> {
  const [first] = await gateway.events.list({ order: 'asc', limit: 1 }).toArray({ max: 1 });
  for await (const { event } of gateway.events.stream({ after: first?.id ?? '', events: ['deposit.paid'] }))
    return event;
  return undefined;
}

/** All that is answered at once. */
export async function calls(connection: Connection, order: string): Promise<Record<string, unknown>> {
  const gateway = new Gateway(connection);
  // Undefined is taken for what may be left out, also by a compiler with exactOptionalPropertyTypes.
  const leftOut = { description: undefined, payer: undefined };
  const options = { signal: undefined, timeoutMs: undefined, allowReused: undefined };
  const deposit = await gateway.deposits.create({ amount_cents: 10_000, external_id: order, ...leftOut }, options);
  const again = await gateway.deposits.create({ amount_cents: 10_000, external_id: order });
  const paid = await gateway.test.deposits.pay(deposit.id);
  const listed: string[] = [];
  for await (const { id } of gateway.deposits.list({ external_id: order, limit: 1 })) listed.push(id);
  const refund = await gateway.deposits.refunds.create(deposit.id, {
    external_id: `refund-${order}`,
    amount_cents: 100,
  });
  const key = (external_id: string, pix_key: string, amount_cents = 500) =>
    ({ amount_cents, external_id, pix_key, pix_key_type: 'email', recipient }) as const;
  const payout = await gateway.payouts.createAndWait(key(`payout-${order}`, 'maria@example.com'));
  const late = await gateway.payouts
    .create(key(`late-${order}`, magicKeys.timeout))
    .catch((error: unknown) => (error instanceof ProviderTimeoutError ? error : undefined));
  const slow = await gateway.payouts.createAndWait(key(`slow-${order}`, magicKeys.timeout));
  const refused = await gateway.payouts
    .create(key(`huge-${order}`, 'maria@example.com', 99_000_000_000))
    .catch((error: unknown) => error instanceof InsufficientFundsError && error.code);
  const reused = await gateway.payouts
    .create(key(`payout-${order}`, 'maria@example.com', 600))
    .catch((error: unknown) => error instanceof ExternalIdReusedError && error.differing);
  const { brl } = await gateway.balance.get();
  const webhook = await gateway.webhooks.create({ name: 'shop', url: 'https://127.0.0.1:8443/hooks' });
  const signed = await signedDelivery({ secret: webhook.secret, event: sampleEvent('payout.returned') });
  const event = await verifyWebhook({ ...signed, secret: webhook.secret });
  const rows = await gateway.transactions.csv({ limit: 200 });
  let bytes = 0;
  for await (const chunk of rows) bytes += chunk.length;
  const log = await eventLog(gateway, deposit.id, webhook.id);
  const svg = await gateway.deposits.qrSvg(deposit.id);
  const png = await gateway.deposits.qrPng(deposit.id);
  await gateway.webhooks.delete(webhook.id);
  return {
    ...{
      created: [deposit.status, deposit.meta.created, again.meta.created, again.id === deposit.id],
      paid: paid.status,
    },
    ...{ listed: listed.length, refunded: refund.amount_cents, payout: payout.status, slow: slow.status },
    ...{ late: late instanceof ProviderTimeoutError && late.payoutId?.slice(0, 4), refused, reused },
    available: brl.available_cents,
    event: event.event === 'payout.returned' ? event.data.object : event.event,
    csv: bytes > 500,
    log,
    pictures: [svg.startsWith('<svg') || svg.startsWith('<?xml'), png[1]],
  };
}

/** What the log has of a payment, and what it sends of it to a webhook that is newer. */
async function eventLog(gateway: Gateway, depositId: string, webhookId: string): Promise<Record<string, unknown>> {
  const paid = await recorded(gateway, depositId);
  const { data_id, created_at } = await gateway.events.get(paid.id);
  const delivery = await gateway.events.deliver(paid.id, { webhook_id: webhookId });
  const deliveries = await gateway.events.deliveries(paid.id).toArray({ max: 10 });
  const replay = () =>
    gateway.webhooks.replay(webhookId, { since: created_at - 300, events: ['deposit.pending', 'deposit.paid'] });
  return {
    read: data_id === depositId,
    delivered: [delivery.event, deliveries.some(({ id }) => id === delivery.id)],
    // Only the first of both, since the second was delivered.
    replayed: [(await replay()).count, (await replay()).count],
  };
}

/** The event of its payment, as soon as the log has it. */
async function recorded(gateway: Gateway, depositId: string) {
  for (;;) {
    const [event] = await gateway.events.list({ event: ['deposit.paid'], data_id: depositId }).toArray({ max: 1 });
    if (event !== undefined) return event;
    await new Promise<void>((resolve) => setTimeout(resolve, 100));
  }
}

/** By contract 1.0: a payment in pesos, and reais that become USDT. */
export async function betaJourney(connection: Connection, order: string): Promise<Record<string, unknown>> {
  const gateway = new Gateway({ ...connection, apiVersion: '1.0' });
  const spei = await gateway.deposits.create({
    ...{ amount: 20_000, currency: 'MXN', payment_method: 'SPEI', external_id: `mxn-${order}` },
  });
  const paid = await gateway.test.deposits.pay(spei.id);
  const funds = await gateway.deposits.create({ amount: 50_000, external_id: `funds-${order}` });
  await gateway.test.deposits.pay(funds.id);
  const quote = await gateway.quotes.create({ from: 'BRL', to: 'USDT', amount: 10_000 });
  const conversion = await gateway.conversions.create({ quote_id: quote.id, external_id: `usdt-${order}` });
  const payout = await gateway.payouts.createAndWait({
    ...{ amount: 5_000, currency: 'MXN', payout_key: '002010077777777771', payout_key_type: 'clabe' },
    ...{ external_id: `spei-${order}`, recipient: { name: 'Maria', document: 'GODE561231GR8' } },
  });
  return {
    ...{ flow: spei.flow, paid: paid.status, received: paid.amount_received, converted: conversion.status },
    ...{ to: conversion.to, payout: payout.status, currency: payout.currency },
  };
}
