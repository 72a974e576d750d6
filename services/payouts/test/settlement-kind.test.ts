import { afterAll, beforeAll, expect, test } from 'vitest';
import { request, Harness } from './harness.ts';

const document = '52998224725';
let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(async () => harness[Symbol.asyncDispose]());

test('a settlement goes to the registered document, and is refused by name to any other', async () => {
  const account = harness.account(100_000, { document });
  const settlement = request(account, { kind: 'SETTLEMENT', keyType: 'cpf', key: document });
  expect((await harness.create(settlement)).payout).toMatchObject({ kind: 'SETTLEMENT', status: 'PROCESSING' });
  const recipient = { name: 'Outra Pessoa', document: '11144477735', email: null, phone: null };
  await expect(harness.create({ ...settlement, externalId: 'other', recipient })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ path: 'recipient.document' }],
  });
  await expect(harness.create({ ...settlement, externalId: 'other', key: '11144477735' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ path: 'pix_key' }],
  });
  expect(await harness.rowsOf('other')).toEqual([]);
  expect(harness.ledger.books.balanceOf(account.id)).toBe(94_900);
});

test('a settlement to a key that is no document has its owner checked by the provider', async () => {
  const account = harness.account(10_000, { document });
  const foreign = request(account, { kind: 'SETTLEMENT', key: 'owner@sandbox.test' });
  expect((await harness.create(foreign)).payout).toMatchObject({ status: 'REJECTED', failureReason: 'owner_mismatch' });
});

test('a payout to a player goes to anybody', async () => {
  const recipient = { name: 'Outra Pessoa', document: '11144477735', email: null, phone: null };
  const player = request(harness.account(10_000, { document }), { recipient });
  expect((await harness.create(player)).payout.status).toBe('PROCESSING');
});

test.each(['live', 'test'] as const)(
  'a %s settlement of an account without a document is refused by name, says what to do, and nothing is kept or debited',
  async (environment) => {
    const account = harness.account(10_000);
    const unregistered = request(account, { kind: 'SETTLEMENT', environment });
    const message = expect.stringContaining('ask the operator to register it') as string;
    await expect(harness.create(unregistered)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'kind', message }],
    });
    expect(await harness.rowsOf(unregistered.externalId)).toEqual([]);
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
  },
);

test('a repeated settlement answers its record although the registered document is another by now', async () => {
  const account = harness.account(10_000, { document });
  const first = request(account, { kind: 'SETTLEMENT', keyType: 'cpf', key: document });
  const { payout } = await harness.create(first);
  const moved = { ...account, document: '11222333000181' };
  expect(await harness.create({ ...first, account: moved })).toEqual({ created: false, payout });
});

test('ownership is never left to a provider that cannot check it', async () => {
  const { payoutRoutes } = harness.dependencies;
  const provider = payoutRoutes.test[0]!.provider;
  const careless = harness.with({ capabilities: { ...provider.capabilities, ownerCheck: false } });
  const enforced = request(harness.account(10_000), { enforceOwnership: true });
  await expect(harness.create(enforced, careless)).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
});
