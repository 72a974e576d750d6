import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RequestOf } from '@gateway/contracts/messages';
import type { listOperatorPayouts as contract } from '@gateway/contracts/payouts';
import { idTimeMs, newId } from '@gateway/money';
import { listOperatorPayouts } from '#src/payout/read-payouts.ts';
import { lookUpForOperator } from '#src/provider-feed/look-up-for-operator.ts';
import { request, Harness } from './harness.ts';
import { underWay } from './under-way.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(async () => harness[Symbol.asyncDispose]());

type Filter = Partial<RequestOf<typeof contract>>;

const list = async (filter: Filter = {}) => await listOperatorPayouts(harness.dependencies, { limit: 200, ...filter });
const idsOf = async (filter: Filter) => (await list(filter)).payouts.map(({ id }) => id);
const create = async (...wanted: Parameters<typeof request>) => (await harness.create(request(...wanted))).payout;

describe('an operator finds payouts', () => {
  test('of all accounts, newest first, in pages without a gap or a repetition while new ones arrive', async () => {
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.unshift((await create(harness.account(100_000))).id);
    const first = await list({ limit: 2 });
    await create(harness.account(100_000));
    const second = await list({ limit: 2, cursor: first.nextCursor! });
    const third = await list({ limit: 1, cursor: second.nextCursor! });
    expect([...first.payouts, ...second.payouts, ...third.payouts].map(({ id }) => id)).toEqual(made);
  });

  test('by account, external_id, kind, provider, currency and amount, and by all of them together', async () => {
    const owner = { ...harness.account(100_000), document: '52998224725' };
    const small = await create(owner, { amount: 100 });
    const large = await create(owner, { amount: 200, kind: 'SETTLEMENT' });
    await create(harness.account(100_000));
    expect(await idsOf({ accountId: owner.id })).toEqual([large.id, small.id]);
    expect(await idsOf({ externalId: small.externalId })).toContain(small.id);
    expect(await idsOf({ accountId: owner.id, kind: 'SETTLEMENT' })).toEqual([large.id]);
    expect(await idsOf({ accountId: owner.id, minAmount: 200 })).toEqual([large.id]);
    expect(await idsOf({ accountId: owner.id, maxAmount: 199 })).toEqual([small.id]);
    expect(await idsOf({ accountId: owner.id, provider: 'efi' })).toEqual([]);
    expect(await idsOf({ accountId: owner.id, currency: 'MXN' })).toEqual([]);
    expect(await idsOf({ accountId: owner.id, environment: 'live' })).toEqual([]);
    expect(await idsOf({ accountId: owner.id, attention: true })).toEqual([]);
    const all = { environment: 'test', provider: 'sandbox', currency: 'BRL', kind: 'PLAYER_PAYOUT' } as const;
    expect(await idsOf({ ...all, externalId: small.externalId, accountId: owner.id })).toEqual([small.id]);
  });

  test('by the document of the recipient and by the key', async () => {
    const recipient = { name: 'Bruno Dias', document: '11144477735', email: null, phone: null };
    const payout = await create(harness.account(100_000), { recipient, key: 'bruno@example.com' });
    await create(harness.account(100_000));
    expect(await idsOf({ recipientDocument: '11144477735' })).toEqual([payout.id]);
    expect(await idsOf({ key: 'bruno@example.com' })).toEqual([payout.id]);
    expect(await idsOf({ key: 'nobody@example.com' })).toEqual([]);
  });

  test('by their end-to-end id', async () => {
    const { id } = await create(harness.account(100_000));
    const e2eId = `E00000000${new Date(idTimeMs(id)).toISOString().slice(0, 16).replaceAll(/\D/g, '')}`;
    await harness.dependencies.database.query(`update payout set e2e_id = $2 where id = $1`, [
      id,
      `${e2eId}aBcDeFgHiJk`,
    ]);
    expect(await idsOf({ e2eId: `${e2eId}aBcDeFgHiJk` })).toEqual([id]);
    expect(await idsOf({ e2eId: `${e2eId}AAAAAAAAAAA` })).toEqual([]);
    expect(await idsOf({ e2eId: 'not of PIX' })).toEqual([]);
  });

  test('by the time they were made, to the second and both ends included', async () => {
    const owner = harness.account(100_000);
    const payout = await create(owner);
    const at = Math.floor(idTimeMs(payout.id) / 1_000);
    expect(await idsOf({ accountId: owner.id, from: at, to: at + 1 })).toEqual([payout.id]);
    expect(await idsOf({ accountId: owner.id, to: at })).toEqual([]);
    expect(await idsOf({ accountId: owner.id, from: at + 1 })).toEqual([]);
  });

  test('with a cursor of the list alone', async () => {
    await expect(list({ cursor: newId('payout') })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'cursor' }],
    });
  });
});

describe('an operator asks the provider of a payout at once', () => {
  test('and an outcome that no notification told of is booked', async () => {
    const { live, payout, rail, ref, statusOf } = await underWay(harness);
    rail.settle(ref);
    const { before, payout: after } = await lookUpForOperator(live, { id: payout.id });
    expect([before.status, after.status]).toEqual(['PROCESSING', 'PAID']);
    expect(await statusOf()).toMatchObject({ state: 'PAID' });
  });

  test('and one that still waits for an operator is refused: no provider has it', async () => {
    const owner = { ...harness.account(100_000), autoApprovePayouts: false };
    const { id, status } = await create(owner);
    expect(status).toBe('PENDING');
    await expect(lookUpForOperator(harness.dependencies, { id })).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await expect(lookUpForOperator(harness.dependencies, { id: newId('payout') })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
