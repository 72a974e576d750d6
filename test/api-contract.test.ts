import { afterAll, beforeAll, expect, test } from 'vitest';
import { webhookEventSchema } from '@gateway/contracts/webhooks';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { eventually } from '@gateway/test-kit';
import { everyDeadLetterOperation } from './support/dead-letter-operations.ts';
import { DescribedClient } from './support/described-client.ts';
import { causeEvents, failForAnHour, orderExport } from './support/every-event.ts';
import { formWithFile } from './support/form-with-file.ts';
import { everyEventOperation } from './support/event-operations.ts';
import { inviteFirstOwner, readAsOperator } from './support/read-as-operator.ts';
import { readProvenStatement } from './support/read-proven-statement.ts';
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';
import { everyDisputeOperation } from './support/dispute-operations.ts';
import { everyReconciliationOperation } from './support/reconciliation-operations.ts';
import { everyStatementOperation } from './support/statement-operations.ts';

let stack: Stack;
let receiver: WebhookReceiver;
let merchants: DescribedClient;
let betaMerchants: DescribedClient;
let operators: DescribedClient;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  receiver = stopping.use(await startWebhookReceiver());
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true }));
  merchants = await DescribedClient.of(stack.baseUrl);
  betaMerchants = await DescribedClient.of(stack.baseUrl, '/openapi-1.0.json');
  operators = await DescribedClient.of(stack.opsUrl);
});
afterAll(async () => stopping.disposeAsync());

type Call = ReturnType<DescribedClient['as']>;
let sequence = 0;
const externalId = () => `contract-${++sequence}`;
const operatorCalls = (nth: number): Call => operators.as({ authorization: `Bearer ${stack.dev.ops_tokens[nth]}` });

async function newMerchant(settings: object = {}): Promise<{ id: string; call: Call; beta: Call }> {
  const ops = operatorCalls(0);
  const { body: account } = await ops('POST /ops/accounts', { name: 'Loja', ...settings });
  const { body: key } = await ops(`POST /ops/accounts/${account.id}/keys`, { environment: 'test' });
  const headers = { 'x-api-key': key.public_key, 'x-api-secret': key.secret_key };
  return {
    id: account.id,
    call: merchants.as(headers),
    beta: betaMerchants.as({ ...headers, 'x-api-version': '1.0' }),
  };
}

async function paidDeposit(call: Call, amountCents: number): Promise<string> {
  const { body } = await call('POST /v1/deposits', { amount_cents: amountCents, external_id: externalId() });
  await call(`POST /v1/test/deposits/${body.id}/pay`);
  return body.id;
}

/** A correction by two operators; its id. */
async function gift(account_id: string): Promise<string> {
  const wanted = { account_id, environment: 'test', currency: 'BRL', amount_cents: 900, reason: 'a gift' };
  const { body } = await operatorCalls(0)('POST /ops/adjustments', { ...wanted, external_id: externalId() });
  await operatorCalls(1)(`POST /ops/adjustments/${body.id}/approve`);
  return body.id;
}

const payoutBody = (members: object = {}) => ({
  ...{ amount_cents: 100, external_id: externalId(), pix_key: 'maria@example.com', pix_key_type: 'email' },
  ...{ recipient: { name: 'Maria da Silva', document: '529.982.247-25' }, ...members },
});

async function depositsAndDisputes(call: Call): Promise<void> {
  const payer = { name: 'Maria da Silva', document: '529.982.247-25', phone: '+5511999990000' };
  const body = { amount_cents: 500, external_id: externalId(), payer, metadata: { cart: '7' } };
  const { body: open } = await call('POST /v1/deposits', body);
  expect((await call('POST /v1/deposits', body)).status).toBe(200);
  await call(`GET /v1/deposits/${open.id}/qr.svg`);
  await call(`GET /v1/deposits/${open.id}/qr.png`);
  await call(`POST /v1/deposits/${open.id}/cancel`);
  const { body: late } = await call('POST /v1/deposits', { amount_cents: 5, external_id: externalId() });
  await call(`POST /v1/test/deposits/${late.id}/expire`);
  const paid = await paidDeposit(call, 10_000);
  const part = { amount_cents: 100, external_id: externalId(), reason: 'returned' };
  const { refund } = (await call(`POST /v1/deposits/${paid}/refunds`, part)).body;
  await call(`GET /v1/refunds/${refund.id}`);
  await call(`GET /v1/refunds?status=DONE&deposit_id=${paid}`);
  await call(`GET /v1/deposits/${paid}/refunds`);
  await call(`GET /v1/deposits/${paid}`);
  const { body: dispute } = await call(`POST /v1/test/deposits/${paid}/dispute`, { amount_cents: 300 });
  await call(`GET /v1/disputes/${dispute.id}`);
  const { bytes, headers } = await formWithFile();
  const { id, sha256 } = (await call('POST /v1/files', bytes, headers)).body;
  for (const path of [id, `${id}/content`]) await call(`GET /v1/files/${path}`);
  const evidence = { text: 'delivered', urls: ['https://shop.example/1'], files: [{ id, sha256 }] };
  await call(`POST /v1/disputes/${dispute.id}/evidence`, evidence);
  await call(`POST /v1/test/disputes/${dispute.id}/resolve`, { result: 'won' });
  for (const list of ['deposits?status=PAID&limit=2', 'disputes']) {
    expect((await call(`GET /v1/${list}`)).body.data.length, list).toBeGreaterThan(0);
  }
}

async function payouts(call: Call): Promise<void> {
  const held = payoutBody({ pix_key: 'hold@sandbox.test' });
  const { body } = await call('POST /v1/payouts', held);
  expect((await call('POST /v1/payouts', held)).status).toBe(200);
  await call(`GET /v1/payouts/${body.payout.id}`);
  await call('GET /v1/payouts?kind=PLAYER_PAYOUT');
  await call(`POST /v1/test/payouts/${body.payout.id}/settle`, { result: 'paid' });
  const waiting = await call('POST /v1/payouts', payoutBody({ pix_key: 'approve@sandbox.test' }));
  await call(`POST /v1/test/payouts/${waiting.body.payout.id}/approve`);
  expect((await call('POST /v1/payouts', payoutBody({ amount_cents: 100_000_000 }))).status).toBe(422);
  expect((await call('POST /v1/payouts', payoutBody({ pix_key: 'timeout@sandbox.test' }))).status).toBe(504);
}

async function webhooks(call: Call): Promise<void> {
  const { body: webhook } = await call('POST /v1/webhooks', { name: 'shop', url: receiver.url });
  const path = `/v1/webhooks/${webhook.id}`;
  await call(`PATCH ${path}`, { name: 'till', events: [] });
  await call(`GET ${path}`);
  await call('GET /v1/webhooks');
  await call(`POST ${path}/test`);
  await call(`POST ${path}/rotate-secret`, { overlap_sec: 0 });
  const id = await paidDeposit(call, 700);
  const delivery = await eventually(async () => {
    const { body } = await call(`GET ${path}/deliveries?event=deposit.paid&data_id=${id}&status=DELIVERED`);
    expect(body.data).toHaveLength(1);
    return body.data[0];
  });
  expect((await call(`GET ${path}/deliveries/${delivery.id}`)).body.attempt_log).toHaveLength(1);
  await call(`POST ${path}/deliveries/${delivery.id}/redeliver`);
  expect((await call(`GET /v1/deliveries?data_id=${id}`)).body.data.length).toBeGreaterThan(0);
  await call(`GET /v1/deliveries/${delivery.id}`);
  await call(`POST /v1/deliveries/${delivery.id}/redeliver`);
  await everyEventOperation(call, id, webhook.id);
  await call(`POST ${path}/recover`, { since: 0 });
  await call(`POST ${path}/replay`, { since: 0 });
  await call(`POST /v1/test/webhooks/${webhook.id}/fail`, { result: 'failing' });
  await call(`DELETE ${path}`);
  await call('POST /v1/account/callback-secret');
}

test('every operation of the merchant API answers as it is described', async () => {
  const merchant = await newMerchant();
  const { call } = merchant;
  await depositsAndDisputes(call);
  await call(`GET /v1/adjustments/${await gift(merchant.id)}`);
  await payouts(call);
  await webhooks(call);
  for (const path of ['balance', 'balance/pending', 'totals', 'requests']) await call(`GET /v1/${path}`);
  await call('GET /v1/account', undefined, { 'x-request-id': 'logged-1' });
  await eventually(async () => expect((await call('GET /v1/requests/logged-1')).status).toBe(200));
  await call('PUT /v1/account/branding', { color: '#0b5f4d' });
  await call('GET /v1/account/branding');
  await call('GET /v1/ip-allowlist');
  await call('PUT /v1/ip-allowlist', { entries: ['127.0.0.1', '2001:DB8::/32'] });
  await readProvenStatement(call, operatorCalls(0));
  await call('POST /v1/test/balance/release');
  const { body: quote } = await call('POST /v1/quotes', { from: 'BRL', to: 'USDT', amount: 1_000 });
  await call(`GET /v1/quotes/${quote.id}`);
  const converted = await call('POST /v1/conversions', { quote_id: quote.id, external_id: externalId() });
  await call(`GET /v1/conversions/${converted.body.conversion.id}`);
  await call('GET /v1/conversions');
  await orderExport(call);
  const waiting = await newMerchant({ auto_approve_payouts: false });
  await paidDeposit(waiting.call, 1_000);
  const { body } = await waiting.call('POST /v1/payouts', payoutBody());
  await waiting.call(`POST /v1/payouts/${body.payout.id}/cancel`);
  const described = merchants.api.operations.map(({ id }) => id);
  expect(described.filter((id) => !merchants.succeeded.has(id))).toEqual([]);
});

test('the same records keep to the description in the shapes of contract 1.0', async () => {
  const { beta } = await newMerchant();
  for (const more of [{}, { currency: 'MXN', payment_method: 'SPEI' }]) {
    const made = await beta('POST /v1/deposits', { amount: 5_000, external_id: externalId(), ...more });
    expect([made.status, made.body.amount]).toEqual([201, 5_000]);
    expect((await beta(`POST /v1/test/deposits/${made.body.id}/pay`)).body.status).toBe('PAID');
    expect((await beta(`GET /v1/deposits/${made.body.id}`)).body).not.toHaveProperty('amount_cents');
  }
  const { recipient } = payoutBody();
  const key = { payout_key: 'maria@example.com', payout_key_type: 'email' };
  const sent = await beta('POST /v1/payouts', { amount: 100, external_id: externalId(), recipient, ...key });
  expect(sent.body.payout).toMatchObject({ amount: 100, payout_key: 'maria@example.com' });
  for (const list of ['deposits', 'payouts', 'transactions']) {
    const { body } = await beta(`GET /v1/${list}`);
    expect(body.data[0], list).toHaveProperty('amount');
  }
  expect((await beta('GET /v1/balance')).body).toMatchObject({ mxn: { available: 5_000 } });
});

test('every event arrives as it is described, in both contracts', async () => {
  await using failing = await startWebhookReceiver(500);
  await using closing = await startWebhookReceiver(400, { 'webhook-delivery': 'disable' });
  await using before = await startWebhookReceiver();
  await using after = await startWebhookReceiver();
  const { call, beta } = await newMerchant();
  await call('POST /v1/webhooks', { name: 'before', url: before.url });
  await beta('POST /v1/webhooks', { name: 'after', url: after.url });
  const { body: slow } = await call('POST /v1/webhooks', {
    name: 'slow',
    url: failing.url,
    events: ['deposit.pending'],
  });
  await causeEvents(call, beta);
  await failForAnHour(stack.databaseUrls['gateway_webhooks'] ?? '', slow.id);
  await call('POST /v1/webhooks', { name: 'closing', url: closing.url, events: ['deposit.pending'] });
  await call('POST /v1/deposits', { amount_cents: 100, external_id: externalId() });
  for (const [{ received }, { api }] of [
    [before, merchants],
    [after, betaMerchants],
  ] as const) {
    await eventually(() => {
      const names = new Set(received.map(({ body }) => body.event));
      expect([...names].sort()).toEqual([...webhookEventSchema.options].sort());
    });
    const complaints = received.map(({ rawBody }) => [String(rawBody), api.complaintsAboutEvent(String(rawBody))]);
    expect(complaints.filter(([, found = []]) => found.length > 0)).toEqual([]);
  }
});

const outcomeOf = (outcome: string) => ({ outcome, evidence: 'statement, line 17' });

test('every operation of the operator API answers as it is described', async () => {
  const [ana, bruno] = [operatorCalls(0), operatorCalls(1)];
  const { id, call } = await newMerchant({ auto_approve_payouts: false });
  await ana('GET /ops/accounts?limit=1&name=loja&auto_approve_payouts=false&from=0&to=99999999999');
  await ana(`GET /ops/accounts/${id}`);
  await ana(`PATCH /ops/accounts/${id}`, { fees: { deposit: { fixed_cents: 1, bps: 99 } } });
  const { body: asked } = await ana(`POST /ops/accounts/${id}/keys`, { environment: 'live', name: 'till' });
  const live = `/ops/approvals/${asked.approval.id}`;
  expect((await ana(`POST ${live}/approve`)).body.error.code).toBe('SECOND_PERSON_REQUIRED');
  const { body: issued } = await bruno(`POST ${live}/approve`, { reason: 'asked for by the merchant' });
  const key = issued.approval.outcome;
  expect((await ana(`GET ${live}`)).body.approval).toMatchObject({ state: 'APPLIED', approved_by: 'bruno' });
  await ana(`GET /ops/approvals?state=APPLIED&kind=key.issue&account_id=${id}&limit=1`);
  await inviteFirstOwner(ana, bruno, id);
  const raise = await ana(`PATCH /ops/accounts/${id}`, { auto_approve_payouts: true, reason: 'as agreed' });
  expect((await ana(`POST /ops/approvals/${raise.body.approval.id}/withdraw`)).body.approval.state).toBe('WITHDRAWN');
  const other = await ana(`PATCH /ops/accounts/${id}`, { auto_approve_payouts: true, reason: 'as agreed' });
  await bruno(`POST /ops/approvals/${other.body.approval.id}/refuse`, { reason: 'not agreed' });
  const third = await ana(`PATCH /ops/accounts/${id}`, { auto_approve_payouts: true, reason: 'as agreed' });
  await ana(`POST /ops/approvals/${third.body.approval.id}/reject`);
  await ana(`POST /ops/accounts/${id}/freeze`, { level: 'payouts', environment: 'live', reason: 'a question' });
  await ana('GET /ops/accounts?frozen=true&limit=1');
  const lifting = await ana(`POST /ops/accounts/${id}/unfreeze`, { reason: 'answered' });
  await bruno(`POST /ops/approvals/${lifting.body.approval.id}/approve`);
  expect((await ana('GET /ops/conversions/switch')).body).toMatchObject({ live: 'off', allowed: true, by: null });
  await ana('GET /ops/conversions/uncovered');
  await ana('GET /ops/conversions/orders?venue=bitso&currency=BRL&state=DONE&result=FILLED&limit=1');
  await ana('POST /ops/conversions/uncovered/cover', { currency: 'BRL', reason: 'bought by hand' });
  const switching = await ana('POST /ops/conversions/switch/on', { reason: 'counsel agrees' });
  await bruno(`POST /ops/approvals/${switching.body.approval.id}/approve`);
  await ana('POST /ops/conversions/switch/off', { reason: 'the exchange is down' });
  await ana(`GET /ops/accounts/${id}/keys?environment=live&status=active&name=till&api_version=0.1`);
  await ana(`PUT /ops/keys/${key.public_key}/allowlist`, { entries: [], reason: 'locked out' });
  await ana(`DELETE /ops/keys/${key.public_key}`);
  await ana('POST /ops/compat/integrations', { account_id: id, prefix: 'alt', payouts_enabled: false });
  const adjustment = { account_id: id, environment: 'test', currency: 'BRL', amount_cents: 900, reason: 'a gift' };
  const proposed = await ana('POST /ops/adjustments', { ...adjustment, external_id: externalId() });
  expect((await ana(`POST /ops/adjustments/${proposed.body.id}/approve`)).status).toBe(409);
  await bruno(`POST /ops/adjustments/${proposed.body.id}/approve`);
  const mistaken = await ana('POST /ops/adjustments', { ...adjustment, external_id: externalId() });
  await ana(`POST /ops/adjustments/${mistaken.body.id}/withdraw`, { reason: 'the wrong account' });
  const doubtful = await ana('POST /ops/adjustments', { ...adjustment, external_id: externalId() });
  await bruno(`POST /ops/adjustments/${doubtful.body.id}/refuse`, { reason: 'not on the statement' });
  await ana('GET /ops/adjustments');
  const payoutOf = async (members: object) => (await call('POST /v1/payouts', payoutBody(members))).body.payout.id;
  const [approved, refused] = [await payoutOf({ pix_key: 'hold@sandbox.test' }), await payoutOf({})];
  await ana(`POST /ops/payouts/${refused}/refuse`, { reason: 'not theirs' });
  expect((await ana(`GET /ops/payouts/${refused}`)).body.payout.decision_reason).toBe('not theirs');
  await ana(`POST /ops/payouts/${approved}/approve`);
  const outcome = outcomeOf('paid');
  await eventually(async () => {
    expect((await ana(`POST /ops/payouts/${approved}/resolve`, outcome)).status).toBe(202);
  });
  // 503 while the call to the provider is under way.
  await eventually(async () => {
    expect((await bruno(`POST /ops/payouts/${approved}/resolve`, outcome)).status).toBe(200);
  });
  await ana('GET /ops/payouts?status=PAID');
  const [provider] = (await ana('GET /ops/providers?environment=live')).body.data as { id: string }[];
  await ana(`PATCH /ops/providers/${provider!.id}`, { enabled: true });
  await ana(`GET /ops/providers/live/${provider!.id}/calls`);
  const refunded = await call(`POST /v1/deposits/${await paidDeposit(call, 500)}/refunds`, {
    ...{ external_id: externalId(), reason: 'refuse@sandbox.test' },
  });
  const refundId = refunded.body.refund.id;
  await ana(`GET /ops/refunds?account_id=${id}&attention=false`);
  await everyDisputeOperation({ ana, bruno }, { refundId, depositId: await paidDeposit(call, 500) });
  await ana('GET /ops/orphan-receipts');
  await ana(`GET /ops/feeds/${(await ana('GET /ops/feeds')).body.data[0].id}/gaps`);
  expect((await ana(`POST /ops/unread-items/${'0'.repeat(32)}/retry`)).status).toBe(404);
  const skip = { until: new Date().toISOString(), reason: 'the provider has no more of it' };
  expect((await ana('POST /ops/feeds/nonsense/skip', skip)).status).toBe(404);
  await ana('GET /ops/unread-items');
  await everyStatementOperation({ ana, bruno, databaseUrl: stack.databaseUrls['gateway_reconciler'] ?? '' });
  expect((await ana('POST /ops/orphan-receipts/nonsense/retry')).status).toBe(404);
  await everyReconciliationOperation(ana, stack.databaseUrls['gateway_ledger'] ?? '');
  await everyDeadLetterOperation({ ana, bruno }, stack.natsUrl);
  await readAsOperator(ana, { id, call, receiverUrl: receiver.url });
  const described = operators.api.operations.map((operation) => operation.id);
  // Takes a person who enrolled, a provider that has refused to send money back, or takes no evidence, a live conversion, a list that fails, a ledger that lost its end, or a place outside.
  const refusedAlone = [
    ...['confirmFirstOwner', 'coverConversions', 'confirmDisputeEvidence', 'createIncarnation', 'dismissUnreadItem'],
    ...['getAnchor', 'getOrphanReceipt', 'retryOrphanReceiptLookup', 'retryOrphanReceipt', 'retryUnreadItem'],
    ...['recoverAccountPerson', 'skipFeed'],
  ];
  expect(described.filter((each) => !operators.succeeded.has(each)).sort()).toEqual(refusedAlone.sort());
});

test('whoever is refused is told as it is described, at every operation of both doors', async () => {
  for (const [client, calls] of [
    [merchants, merchants.as({ 'x-api-key': 'pk_test_1' })],
    [operators, operators.as({ authorization: 'Bearer nobody-we-know' })],
  ] as const) {
    for (const { method, path } of client.api.operations) {
      const call = `${method} ${path.replaceAll(/\{\w+\}/g, 'nonsense')}`;
      // There are more operations than wrong tokens are taken from one address at once.
      await eventually(async () => expect((await calls(call)).status, call).toBe(401));
    }
  }
});
