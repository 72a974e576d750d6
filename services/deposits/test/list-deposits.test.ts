import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deposit, DepositStatus } from '@gateway/contracts/deposits';
import { idTimeMs, newId } from '@gateway/money';
import { listDeposits } from '#src/deposit/read-deposits.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

interface Query {
  limit?: number;
  cursor?: string;
  order?: 'asc' | 'desc';
  from?: number;
  to?: number;
  status?: DepositStatus;
  externalId?: string;
  e2eId?: string;
  minAmount?: number;
  maxAmount?: number;
  payerDocument?: string;
  metadata?: { key: string; value: string };
}

async function list(accountId: string, query: Query = {}) {
  return await listDeposits(stage.dependencies, { environment: 'test', accountId, limit: 50, ...query });
}

async function createMany(count: number, owner = account()) {
  const deposits: Deposit[] = [];
  for (let made = 0; made < count; made++) deposits.unshift((await stage.create(request(owner))).deposit);
  return { owner, deposits };
}

describe('a list of deposits', () => {
  test('is newest first, and its pages have no gap and no repetition while new records arrive', async () => {
    const { owner, deposits } = await createMany(5);
    const first = await list(owner.id, { limit: 2 });
    await createMany(2, owner);
    const second = await list(owner.id, { limit: 2, cursor: first.nextCursor! });
    const third = await list(owner.id, { limit: 2, cursor: second.nextCursor! });
    expect([...first.deposits, ...second.deposits, ...third.deposits]).toEqual(deposits);
    expect(third.nextCursor).toBeNull();
  });

  test('oldest first has no gap and no repetition in its pages, and a period is cut by when its records were made', async () => {
    const { owner, deposits } = await createMany(4);
    const oldestFirst = deposits.toReversed().map(({ id }) => id);
    const first = await list(owner.id, { limit: 3, order: 'asc' });
    const rest = await list(owner.id, { limit: 3, order: 'asc', cursor: first.nextCursor! });
    expect([...first.deposits, ...rest.deposits].map(({ id }) => id)).toEqual(oldestFirst);
    const from = idTimeMs(oldestFirst[2]!) / 1_000;
    const isLater = (id: string) => idTimeMs(id) >= from * 1_000;
    expect((await list(owner.id, { order: 'asc', from })).deposits.map(({ id }) => id)).toEqual(
      oldestFirst.filter(isLater),
    );
    const earlier = deposits.map(({ id }) => id).filter((id) => !isLater(id));
    expect((await list(owner.id, { to: from })).deposits.map(({ id }) => id)).toEqual(earlier);
  });

  test('is narrowed by the payment, the amount and the payer, all of them together, and never beyond its account', async () => {
    const [owner, other] = [account(), account()];
    const payer = { name: 'Maria da Silva', document: '52998224725', email: null, phone: null };
    const make = async (changes: Parameters<typeof request>[1], of = owner) =>
      (await stage.create(request(of, changes))).deposit;
    const small = await make({ amount: 1_000, payer });
    const middle = await make({ amount: 2_000, payer });
    const large = await make({ amount: 3_000 });
    const foreign = await make({ amount: 2_000, payer }, other);
    const paid = (await stage.pay(owner.id, middle.id)).deposit;
    const idsOf = async (query: Query, of = owner) => (await list(of.id, query)).deposits.map(({ id }) => id);
    const { document: payerDocument } = payer;
    const e2eId = paid.e2eId!;
    expect(await idsOf({ payerDocument })).toEqual([middle.id, small.id]);
    expect(await idsOf({ payerDocument, order: 'asc' })).toEqual([small.id, middle.id]);
    expect(await idsOf({ payerDocument, limit: 1, cursor: middle.id })).toEqual([small.id]);
    expect(await idsOf({ payerDocument }, other)).toEqual([foreign.id]);
    expect(await idsOf({ e2eId })).toEqual([middle.id]);
    expect(await idsOf({ e2eId }, other)).toEqual([]);
    expect(await idsOf({ minAmount: 2_000 })).toEqual([large.id, middle.id]);
    expect(await idsOf({ maxAmount: 2_000 })).toEqual([middle.id, small.id]);
    expect(await idsOf({ minAmount: 1_001, maxAmount: 2_999, payerDocument, e2eId })).toEqual([middle.id]);
    expect(await idsOf({ minAmount: 2_001, e2eId })).toEqual([]);
  });

  test('is narrowed by one value of the metadata, whatever its type is, exactly and never beyond its account', async () => {
    const [owner, other] = [account(), account()];
    const make = async (metadata: Deposit['metadata'], of = owner) =>
      (await stage.create(request(of, { metadata }))).deposit.id;
    const asText = await make({ cart: '77', till: 'a' });
    const asNumber = await make({ cart: 77 });
    await make({ cart: '770' });
    await make({ order: '77' });
    await make({ cart: '77' }, other);
    const idsWith = async (key: string, value: string) =>
      (await list(owner.id, { metadata: { key, value } })).deposits.map(({ id }) => id);
    expect(await idsWith('cart', '77')).toEqual([asNumber, asText]);
    expect(await idsWith('till', 'a')).toEqual([asText]);
    expect(await idsWith('till', "a' or true --")).toEqual([]);
  });

  test('that ends exactly with a page has no next cursor', async () => {
    const { owner } = await createMany(2);
    expect(await list(owner.id, { limit: 2 })).toMatchObject({ nextCursor: null });
  });

  test('filters by status and external_id', async () => {
    const { owner, deposits } = await createMany(3);
    const [, second] = deposits;
    const { deposit: paid } = await stage.pay(owner.id, second!.id);
    expect(await list(owner.id, { status: 'PAID' })).toEqual({ deposits: [paid], nextCursor: null });
    expect((await list(owner.id, { status: 'PENDING' })).deposits).toHaveLength(2);
    expect((await list(owner.id, { externalId: paid.externalId })).deposits).toEqual([paid]);
  });

  test('refuses a cursor that is unknown, malformed or of another account', async () => {
    const { owner } = await createMany(1);
    const { deposits: foreign } = await createMany(1);
    for (const cursor of [newId('deposit'), 'nonsense', foreign[0]!.id]) {
      await expect(list(owner.id, { cursor })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'cursor' }],
      });
    }
  });

  test('shows nothing of a record that is still being created', async () => {
    const { owner } = await createMany(0);
    const dying = stage.onTheWire({
      createCharge: async () => {
        throw new Error('the process ends here');
      },
    });
    await expect(stage.create(request(owner), dying)).rejects.toThrow();
    expect(await list(owner.id)).toEqual({ deposits: [], nextCursor: null });
  });
});
