import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Payout, PayoutKind, PayoutStatus } from '@gateway/contracts/payouts';
import { idTimeMs, newId } from '@gateway/money';
import { listPayouts } from '#src/payout/read-payouts.ts';
import { request, Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(async () => harness[Symbol.asyncDispose]());

interface Query {
  limit?: number;
  cursor?: string;
  order?: 'asc' | 'desc';
  from?: number;
  to?: number;
  status?: PayoutStatus;
  externalId?: string;
  kind?: PayoutKind;
  e2eId?: string;
  minAmount?: number;
  maxAmount?: number;
  recipientDocument?: string;
}

async function list(accountId: string, query: Query = {}) {
  return await listPayouts(harness.dependencies, { environment: 'test', accountId, limit: 50, ...query });
}

async function createMany(count: number, owner = harness.account(100_000)) {
  const payouts: Payout[] = [];
  for (let made = 0; made < count; made++) payouts.unshift((await harness.create(request(owner))).payout);
  return { owner, payouts };
}

describe('a list of payouts', () => {
  test('is newest first, and its pages have no gap and no repetition while new records arrive', async () => {
    const { owner, payouts } = await createMany(5);
    const first = await list(owner.id, { limit: 2 });
    await createMany(2, owner);
    const second = await list(owner.id, { limit: 2, cursor: first.nextCursor! });
    const third = await list(owner.id, { limit: 2, cursor: second.nextCursor! });
    expect([...first.payouts, ...second.payouts, ...third.payouts]).toEqual(payouts);
    expect(third.nextCursor).toBeNull();
  });

  test('oldest first has no gap and no repetition in its pages, and a period is cut by when its records were made', async () => {
    const { owner, payouts } = await createMany(4);
    const oldestFirst = payouts.toReversed().map(({ id }) => id);
    const first = await list(owner.id, { limit: 3, order: 'asc' });
    const rest = await list(owner.id, { limit: 3, order: 'asc', cursor: first.nextCursor! });
    expect([...first.payouts, ...rest.payouts].map(({ id }) => id)).toEqual(oldestFirst);
    const from = idTimeMs(oldestFirst[2]!) / 1_000;
    const isLater = (id: string) => idTimeMs(id) >= from * 1_000;
    expect((await list(owner.id, { order: 'asc', from })).payouts.map(({ id }) => id)).toEqual(
      oldestFirst.filter(isLater),
    );
    const earlier = payouts.map(({ id }) => id).filter((id) => !isLater(id));
    expect((await list(owner.id, { to: from })).payouts.map(({ id }) => id)).toEqual(earlier);
  });

  test('that ends exactly with a page has no next cursor', async () => {
    const { owner } = await createMany(2);
    expect(await list(owner.id, { limit: 2 })).toMatchObject({ nextCursor: null });
  });

  test('filters by the status a merchant sees, by external_id and by kind', async () => {
    const { owner, payouts } = await createMany(2);
    const { payout: rejected } = await harness.create(
      request({ ...owner, document: '52998224725' }, { key: 'refuse@sandbox.test', kind: 'SETTLEMENT' }),
    );
    expect(await list(owner.id, { status: 'REJECTED' })).toEqual({ payouts: [rejected], nextCursor: null });
    expect((await list(owner.id, { status: 'PROCESSING' })).payouts).toEqual(payouts);
    expect((await list(owner.id, { externalId: payouts[1]!.externalId })).payouts).toEqual([payouts[1]]);
    expect((await list(owner.id, { kind: 'SETTLEMENT' })).payouts).toEqual([rejected]);
  });

  test('is narrowed by the payment, the amount and the recipient, all of them together, and never beyond its account', async () => {
    const [owner, other] = [harness.account(100_000), harness.account(100_000)];
    const maria = { name: 'Maria da Silva', document: '11144477735', email: null, phone: null };
    const make = async (changes: Parameters<typeof request>[1], of = owner) =>
      (await harness.create(request(of, changes))).payout;
    const small = await make({ amount: 1_000, recipient: maria });
    const middle = await make({ amount: 2_000, recipient: maria });
    const large = await make({ amount: 3_000 });
    const foreign = await make({ amount: 2_000, recipient: maria }, other);
    const idsOf = async (query: Query, of = owner) => (await list(of.id, query)).payouts.map(({ id }) => id);
    const { document: recipientDocument } = maria;
    const e2eId = 'BNET01002603040012345678';
    await harness.dependencies.database.query('update payout set e2e_id = $2 where id = $1', [middle.id, e2eId]);
    expect(await idsOf({ recipientDocument })).toEqual([middle.id, small.id]);
    expect(await idsOf({ recipientDocument, order: 'asc' })).toEqual([small.id, middle.id]);
    expect(await idsOf({ recipientDocument, limit: 1, cursor: middle.id })).toEqual([small.id]);
    expect(await idsOf({ recipientDocument }, other)).toEqual([foreign.id]);
    expect(await idsOf({ e2eId })).toEqual([middle.id]);
    expect(await idsOf({ e2eId }, other)).toEqual([]);
    expect(await idsOf({ minAmount: 2_000 })).toEqual([large.id, middle.id]);
    expect(await idsOf({ maxAmount: 2_000 })).toEqual([middle.id, small.id]);
    expect(await idsOf({ minAmount: 1_001, maxAmount: 2_999, recipientDocument, e2eId })).toEqual([middle.id]);
    expect(await idsOf({ minAmount: 2_001, e2eId })).toEqual([]);
  });

  test('counts a payout on its way to the provider as PROCESSING', async () => {
    const { owner } = await createMany(0);
    const dying = harness.with({
      createPayout: async () => {
        throw new Error('the process ends here');
      },
    });
    await expect(harness.create(request(owner), dying)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
    expect(await list(owner.id, { status: 'PROCESSING' })).toMatchObject({ payouts: [{ status: 'PROCESSING' }] });
  });

  test('refuses a cursor that is unknown, malformed or of another account', async () => {
    const { owner } = await createMany(1);
    const { payouts: foreign } = await createMany(1);
    for (const cursor of [newId('payout'), 'nonsense', foreign[0]!.id]) {
      await expect(list(owner.id, { cursor })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'cursor' }],
      });
    }
  });
});
