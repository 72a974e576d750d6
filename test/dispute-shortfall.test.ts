import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { eventually } from '@gateway/test-kit';
import { issueKey, type PostAs } from './support/issue-key.ts';
import { MerchantClient } from './support/merchant-client.ts';

let stack: Stack;
let merchant: MerchantClient;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true }));
  const free = { fixed_cents: 0, bps: 0 };
  const settings = { name: 'Loja', auto_approve_payouts: true, fees: { deposit: free, payout: free } };
  const account = (await post('/ops/accounts', settings, 0)) as { id: string };
  merchant = new MerchantClient(stack.baseUrl, await issueKey(post, account.id, 'test'));
});
afterAll(async () => stopping.disposeAsync());

const post: PostAs = async (path, body, nth) => {
  const headers = { authorization: `Bearer ${stack.dev.ops_tokens[nth]}`, 'content-type': 'application/json' };
  const response = await fetch(`${stack.opsUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return await response.json();
};

async function fund(amount_cents: number): Promise<string> {
  const { body } = await merchant.post('/v1/deposits', { amount_cents, external_id: `shortfall-${amount_cents}` });
  expect((await merchant.post(`/v1/test/deposits/${body.id}/pay`)).body.status).toBe('PAID');
  return body.id;
}

const balance = async () => (await merchant.get('/v1/balance')).body.brl;

test('a later credit pays into the shortfall of a dispute, in the balance and in the record of the dispute', async () => {
  const deposit = await fund(10_000);
  const recipient = { name: 'Maria da Silva', document: '52998224725' };
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
