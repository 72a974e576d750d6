import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { eventually } from '@gateway/test-kit';
import { internalPage } from './support/internal-page.ts';
import { issueKey, type PostAs } from './support/issue-key.ts';
import { backUpLedger, restoreLedger } from './support/ledger-backup.ts';
import { MerchantClient, type Json } from './support/merchant-client.ts';

let stack: Stack;
let merchant: MerchantClient;
let accountId: string;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true }));
  const free = { fixed_cents: 0, bps: 0 };
  const settings = { name: 'Loja', auto_approve_payouts: true, fees: { deposit: free, payout: free } };
  const account = (await post('/ops/accounts', settings, 0)) as { id: string };
  accountId = account.id;
  merchant = new MerchantClient(stack.baseUrl, await issueKey(post, account.id, 'test'));
});
afterAll(async () => stopping.disposeAsync());

const post: PostAs = async (path, body, nth) => {
  const headers = { authorization: `Bearer ${stack.dev.ops_tokens[nth]}`, 'content-type': 'application/json' };
  const response = await fetch(`${stack.opsUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return await response.json();
};

async function fund(amount_cents: number, external_id = `shortfall-${amount_cents}`): Promise<string> {
  const { body } = await merchant.post('/v1/deposits', { amount_cents, external_id });
  expect((await merchant.post(`/v1/test/deposits/${body.id}/pay`)).body.status).toBe('PAID');
  return body.id;
}

const recipient = { name: 'Maria da Silva', document: '52998224725' };
const balance = async (): Promise<{ available_cents: number }> => (await merchant.get('/v1/balance')).body.brl;

test('a later credit pays into the shortfall of a dispute, in the balance and in the record of the dispute', async () => {
  const deposit = await fund(10_000);
  const key = { pix_key: 'maria@example.com', pix_key_type: 'email' };
  await merchant.post('/v1/payouts', { amount_cents: 8_000, external_id: 'shortfall', ...key, recipient });
  await eventually(async () => expect(await balance()).toMatchObject({ available_cents: 2_000 }));
  const { body: dispute } = await merchant.post(`/v1/test/deposits/${deposit}/dispute`, {});
  expect(dispute).toMatchObject({ status: 'OPEN', blocked_cents: 2_000 });
  await fund(5_000);
  expect(await balance()).toMatchObject({ available_cents: 0, blocked_cents: 7_000 });
  await eventually(async () => {
    const { body: record } = await merchant.get(`/v1/disputes/${dispute.id}`);
    expect(record).toMatchObject({ status: 'OPEN', blocked_cents: 7_000 });
  });
});

async function operators(path: string, nth: number, body?: object): Promise<{ status: number; body: Json }> {
  const headers = { authorization: `Bearer ${stack.dev.ops_tokens[nth]}`, 'content-type': 'application/json' };
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const response = await fetch(`${stack.opsUrl}${path}`, request);
  return { status: response.status, body: await response.json() };
}

const ofLedger = (path: string) => internalPage(stack, 'ledger', path);

const timeoutMs = 60_000;
const chain = async (): Promise<Json> => (await operators('/ops/ledger/test/0/chain', 0)).body;

/** Repeats a request until it is answered with an outcome. */
const untilDone = (path: string, body?: object) =>
  eventually(
    async () => {
      const answer = await merchant.post(path, body);
      if (answer.status === 429 || answer.status >= 500) throw new Error(`${answer.status} ${answer.text}`);
      return answer.body;
    },
    { timeoutMs, everyMs: 100 },
  );

async function paysOut(external_id: string): Promise<void> {
  const key = { pix_key: 'maria@example.com', pix_key_type: 'email' };
  const { payout } = await untilDone('/v1/payouts', { amount_cents: 300, external_id, ...key, recipient });
  await eventually(async () => {
    expect((await merchant.get(`/v1/payouts/${payout.id}`)).body.payout.status).toBe('PAID');
  });
}

async function adjusted(amount_cents: number): Promise<void> {
  const adjustment = { environment: 'test', currency: 'BRL', amount_cents, reason: 'a gift', external_id: 'gift' };
  const proposed = await operators('/ops/adjustments', 0, { account_id: accountId, ...adjustment });
  expect((await operators(`/ops/adjustments/${proposed.body.id}/approve`, 1, {})).body).toMatchObject({
    status: 'APPLIED',
  });
}

/** How often each record is in the statement, by its type. */
async function statement(): Promise<string[]> {
  const { body } = await merchant.get('/v1/transactions?limit=200');
  return (body.data as { type: string; ref_id?: string; amount_cents: number }[])
    .map(({ type, ref_id, amount_cents }) => `${type} ${ref_id} ${amount_cents}`)
    .sort();
}

test('a ledger restored from an older backup decides nothing until two operators agree; then every 2xx is there once', async () => {
  await fund(20_000, 'before the backup');
  await stack.process('ledger').stop();
  await backUpLedger(stack);
  await stack.process('ledger').start();
  await untilDone('/v1/deposits', { amount_cents: 100, external_id: 'never paid' });
  await eventually(async () => await fund(3_000, 'after the backup'), { timeoutMs });
  await fund(4_000, 'after it, too');
  await paysOut('after the backup');
  await adjusted(70);
  const [owned, shown] = [await balance(), await statement()];

  await stack.process('ledger').stop();
  await restoreLedger(stack);
  await stack.process('ledger').start();
  await eventually(
    async () => {
      expect(await ofLedger('/ready')).toContain('"witnesses test.0":"failing"');
      expect(await ofLedger('/metrics')).toContain('gateway_ledger_behind_witnesses{shard="test.0"} 1');
    },
    { timeoutMs },
  );
  const { id: waiting } = (await merchant.post('/v1/deposits', { amount_cents: 500, external_id: 'while it waits' }))
    .body;
  expect((await merchant.post(`/v1/test/deposits/${waiting}/pay`)).status).toBe(503);
  expect(await chain()).toMatchObject({ incarnation: 0, contradictions: expect.arrayContaining([expect.any(Object)]) });

  const path = '/ops/ledger/test/0/incarnations';
  const { body } = await operators(path, 0, { reason: 'restored from the backup of this morning' });
  const { id } = body.approval;
  expect((await operators(`/ops/approvals/${id}/approve`, 0, {})).status).toBe(409);
  expect((await operators(`/ops/approvals/${id}/approve`, 1, {})).body).toMatchObject({
    approval: { state: 'APPLIED' },
  });
  await untilDone(`/v1/test/deposits/${waiting}/pay`);
  await eventually(async () => expect((await balance()).available_cents).toBe(owned.available_cents + 500), {
    timeoutMs,
  });
  expect(await statement()).toEqual([...shown, `DEPOSIT_NET ${waiting} 500`].sort());
  expect(await chain()).toMatchObject({ incarnation: 1, contradictions: [] });
  expect((await operators('/ops/reconciliations', 0, {})).body).toMatchObject({ status: 'OK' });
  expect(await ofLedger('/ready')).toContain('"ready":true');
}, 180_000);
