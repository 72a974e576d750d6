import { afterAll, beforeAll, expect, test } from 'vitest';
import { request, Stage } from './stage.ts';

const document = '52998224725';
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

test('a settlement goes to the registered document, and is refused by name to any other', async () => {
  const account = stage.account(100_000, { document });
  const settlement = request(account, { kind: 'SETTLEMENT', keyType: 'cpf', key: document });
  expect((await stage.create(settlement)).payout).toMatchObject({ kind: 'SETTLEMENT', status: 'PROCESSING' });
  const recipient = { name: 'Outra Pessoa', document: '11144477735', email: null, phone: null };
  await expect(stage.create({ ...settlement, externalId: 'other', recipient })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ path: 'recipient.document' }],
  });
  await expect(stage.create({ ...settlement, externalId: 'other', key: '11144477735' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ path: 'pix_key' }],
  });
  expect(await stage.rowsOf('other')).toEqual([]);
  expect(stage.ledger.books.balanceOf(account.id)).toBe(94_900);
});

test('a settlement to a key that is no document has its owner checked by the provider', async () => {
  const account = stage.account(10_000, { document });
  const foreign = request(account, { kind: 'SETTLEMENT', key: 'owner@sandbox.test' });
  expect((await stage.create(foreign)).payout).toMatchObject({ status: 'REJECTED', failureReason: 'owner_mismatch' });
});

test('a test settlement of an account without a document, and a payout to a player, go to anybody', async () => {
  const recipient = { name: 'Outra Pessoa', document: '11144477735', email: null, phone: null };
  const unregistered = request(stage.account(10_000), { kind: 'SETTLEMENT', recipient });
  expect((await stage.create(unregistered)).payout.status).toBe('PROCESSING');
  const player = request(stage.account(10_000, { document }), { recipient });
  expect((await stage.create(player)).payout.status).toBe('PROCESSING');
});

test('a live settlement of an account without a document is refused by name, and nothing is kept or debited', async () => {
  const account = stage.account(10_000);
  const unregistered = request(account, { kind: 'SETTLEMENT', environment: 'live' });
  await expect(stage.create(unregistered)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ path: 'kind' }],
  });
  expect(stage.ledger.books.balanceOf(account.id)).toBe(10_000);
});

test('a repeated settlement answers its record although the registered document is another by now', async () => {
  const account = stage.account(10_000, { document });
  const first = request(account, { kind: 'SETTLEMENT', keyType: 'cpf', key: document });
  const { payout } = await stage.create(first);
  const moved = { ...account, document: '11222333000181' };
  expect(await stage.create({ ...first, account: moved })).toEqual({ created: false, payout });
});

test('ownership is never left to a provider that cannot check it', async () => {
  const { payoutRoutes } = stage.dependencies;
  const provider = payoutRoutes.test[0]!.provider;
  const careless = stage.with({ capabilities: { ...provider.capabilities, ownerCheck: false } });
  const enforced = request(stage.account(10_000), { enforceOwnership: true });
  await expect(stage.create(enforced, careless)).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
});
