import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { recipient, startEdge, type Edge, type NewMerchant } from './support/edge.ts';
import { type OperatorBrowser, signedInMember } from './support/operator-browser.ts';

let edge: Edge;
let shop: NewMerchant;
let finance: OperatorBrowser;
let approver: OperatorBrowser;
beforeAll(async () => {
  edge = await startEdge();
  shop = await edge.newMerchant({ fees: { payout: { fixed_cents: 50 } } });
  const environments = ['test', 'live'];
  finance = await signedInMember(edge, 'fabio.reis', { accountId: shop.id, roles: ['finance'], environments });
  approver = await signedInMember(edge, 'paulo.nery', { accountId: shop.id, roles: ['approver'], environments });
});
afterAll(async () => edge[Symbol.asyncDispose]());

const within = () => ({ 'x-account': shop.id, 'x-environment': 'test' });
const payout = (externalId: string, amount: number) => ({
  ...{ amount, external_id: externalId, payout_key: 'maria@example.com', payout_key_type: 'email', recipient },
});
const available = async () => (await shop.test.get('/v1/balance')).body.brl.available_cents as number;
const fund = async (cents: number) => {
  const { id } = (await shop.test.post('/v1/deposits', { amount_cents: cents, external_id: edge.reference() })).body;
  await shop.test.post(`/v1/test/deposits/${id}/pay`, {});
  return id as string;
};
const approve = async ({ id, request_digest }: { id: string; request_digest: string }) =>
  await approver.confirmed('POST', `/approvals/${id}/approve`, { request_digest }, within());

test('finance proposes three payouts, nothing is debited, and the approver sends them with one touch', async () => {
  await fund(10_000);
  const payouts = [payout('salary-1', 1_000), payout('salary-2', 2_000), payout('salary-3', 3_000)];
  const proposed = await finance.confirmed('POST', '/payout-batches', { payouts }, within());
  expect([proposed.status, await available()]).toEqual([202, 10_000]);
  const listed = await shop.test.get('/v1/payouts');
  expect(listed.body.data).toEqual([]);
  const { status, body } = await approve(proposed.body.approval);
  expect([status, body.approval.state]).toEqual([200, 'APPLIED']);
  expect(await available()).toBe(10_000 - 6_000 - 150);
  await eventually(async () => {
    const made = (await shop.test.get('/v1/payouts')).body.data as { external_id: string; status: string }[];
    expect(made.map((each) => `${each.external_id} ${each.status}`).sort()).toEqual([
      'salary-1 PAID',
      'salary-2 PAID',
      'salary-3 PAID',
    ]);
  });
});

test('a proposer who has left the account sends nothing, and the approver is answered why', async () => {
  await fund(5_000);
  const environments = ['test'];
  const leaving = await signedInMember(edge, 'lia.prado', { accountId: shop.id, roles: ['finance'], environments });
  const proposed = await leaving.confirmed('POST', '/v1/payouts', payout('left-1', 1_000), within());
  const identity = await edge.databaseOf('identity');
  await identity.query('delete from membership where person_id = $1', [leaving.personId]);
  const before = await available();
  const { status, body } = await approve(proposed.body.approval);
  expect([status, body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
  expect(await available()).toBe(before);
});

test('the gateway may end while it carries an approval out: each payout is made, and once', async () => {
  await fund(20_000);
  const before = await available();
  const payouts = Array.from({ length: 20 }, (_each, index) => payout(`crash-${index}`, 100));
  const proposed = await finance.confirmed('POST', '/payout-batches', { payouts }, within());
  const approving = approve(proposed.body.approval).catch(() => undefined);
  await eventually(async () => expect(await available()).toBeLessThan(before));
  edge.stack.process('api-gateway').kill('SIGKILL');
  await approving;
  await edge.stack.ready();
  const references = async () => {
    const { data } = (await shop.test.get('/v1/payouts?limit=100')).body as { data: { external_id: string }[] };
    return data.map(({ external_id }) => external_id).filter((each) => each.startsWith('crash-'));
  };
  await eventually(async () => expect(await references()).toHaveLength(20), { timeoutMs: 180_000 });
  expect(new Set(await references()).size).toBe(20);
  await eventually(async () => {
    const { body } = await approver.call('GET', `/approvals/${proposed.body.approval.id}`, undefined, within());
    expect(body.approval.state).toBe('APPLIED');
  });
  expect(await available()).toBe(before - 20 * 150);
});

test('a refund waits for the approver, and goes back once', async () => {
  const deposit = await fund(4_000);
  const before = await available();
  const body = { external_id: 'back-1', amount: 1_500, reason: 'returned goods' };
  const proposed = await finance.confirmed('POST', `/v1/deposits/${deposit}/refunds`, body, within());
  expect([proposed.status, await available()]).toEqual([202, before]);
  const approved = await approve(proposed.body.approval);
  expect(approved.body.approval.outcome.refund).toMatchObject({ external_id: 'back-1', failure: null });
  expect(await available()).toBe(before - 1_500);
});
