import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { listOperatorDeposits as contract } from '@gateway/contracts/deposits';
import type { RequestOf } from '@gateway/contracts/messages';
import { idTimeMs, newId } from '@gateway/money';
import { listOperatorDisputes } from '#src/dispute/read-disputes.ts';
import { simulateDispute } from '#src/dispute/simulate-dispute.ts';
import { getOperatorDeposit, listOperatorDeposits } from '#src/payment/operator-deposits.ts';
import { lookUpForOperator } from '#src/provider-feed/look-up-for-operator.ts';
import { createRefund } from '#src/refund/create-refund.ts';
import { listOperatorRefunds } from '#src/refund/read-refunds.ts';
import { paid as paidAt } from './bank.ts';
import { current, pending } from './receiving.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

type Filter = Partial<RequestOf<typeof contract>>;

const list = async (filter: Filter = {}) => await listOperatorDeposits(stage.dependencies, { limit: 200, ...filter });
const idsOf = async (filter: Filter) => (await list(filter)).deposits.map(({ id }) => id);

describe('an operator finds deposits', () => {
  test('of all accounts, newest first, in pages without a gap or a repetition while new ones arrive', async () => {
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.unshift((await stage.create(request(account()))).deposit.id);
    const first = await list({ limit: 2 });
    await stage.create(request(account()));
    const second = await list({ limit: 2, cursor: first.nextCursor! });
    const third = await list({ limit: 1, cursor: second.nextCursor! });
    expect([...first.deposits, ...second.deposits, ...third.deposits].map(({ id }) => id)).toEqual(made);
  });

  test('by account, external_id, status, provider, currency and amount, and by all of them together', async () => {
    const owner = account();
    const paid = await stage.paid(owner);
    const { deposit: waiting } = await stage.create({ ...request(owner), amount: 20_000 });
    await stage.paid();
    expect(await idsOf({ accountId: owner.id })).toEqual([waiting.id, paid.id]);
    expect(await idsOf({ accountId: owner.id, status: 'PAID' })).toEqual([paid.id]);
    expect(await idsOf({ externalId: waiting.externalId })).toContain(waiting.id);
    expect(await idsOf({ accountId: owner.id, minAmount: 20_000 })).toEqual([waiting.id]);
    expect(await idsOf({ accountId: owner.id, maxAmount: 19_999 })).toEqual([paid.id]);
    expect(await idsOf({ accountId: owner.id, provider: 'efi' })).toEqual([]);
    expect(await idsOf({ accountId: owner.id, currency: 'MXN' })).toEqual([]);
    expect(await idsOf({ accountId: owner.id, environment: 'live' })).toEqual([]);
    const all = { environment: 'test', provider: 'sandbox', currency: 'BRL', status: 'PENDING' } as const;
    expect(await idsOf({ ...all, accountId: owner.id, externalId: waiting.externalId })).toEqual([waiting.id]);
  });

  test('by the end-to-end id of what paid them', async () => {
    const paid = await stage.paid();
    await stage.paid();
    expect(await idsOf({ e2eId: paid.e2eId! })).toEqual([paid.id]);
    expect(await idsOf({ e2eId: 'E00000000000000000000000000000000' })).toEqual([]);
  });

  test("by the payer's document", async () => {
    const payer = { name: 'Maria Souza', email: null, phone: null, document: '52998224725' };
    const { deposit } = await stage.create({ ...request(account()), payer });
    expect(await idsOf({ payerDocument: '52998224725' })).toEqual([deposit.id]);
    expect(await idsOf({ payerDocument: '11144477735' })).toEqual([]);
  });

  test('by the time they were made, to the second and both ends included, with and without an account', async () => {
    const owner = account();
    const { deposit } = await stage.create(request(owner));
    const at = Math.floor(idTimeMs(deposit.id) / 1_000);
    for (const who of [{}, { accountId: owner.id }]) {
      expect(await idsOf({ ...who, from: at, to: at + 1 })).toContain(deposit.id);
      expect(await idsOf({ ...who, to: at })).not.toContain(deposit.id);
      expect(await idsOf({ ...who, from: at + 1 })).not.toContain(deposit.id);
    }
  });

  test('with a cursor of the list alone', async () => {
    for (const cursor of [newId('deposit'), 'nonsense']) {
      await expect(list({ cursor })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'cursor' }] });
    }
  });
});

describe('an operator reads a deposit', () => {
  test('of any account by its id alone, with the payment that arrived', async () => {
    const paid = await stage.paid();
    const found = await getOperatorDeposit(stage.dependencies, { id: paid.id });
    expect(found).toMatchObject({
      deposit: { ...paid, provider: 'sandbox', reference: paid.id.slice(4) },
      payments: [{ e2eId: paid.e2eId, state: 'CREDITED', amount: paid.amount, refusal: null }],
      transfers: [],
    });
  });

  test.each(['dep_01k9z3m4v6t8x0a2c4e6g8jk09', 'nonsense', newId('payout')])('and %s is not found', async (id) => {
    await expect(getOperatorDeposit(stage.dependencies, { id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('an operator asks the provider of a deposit at once', () => {
  test('and a payment that no notification told of is credited', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    bank.receives(paidAt(ref, dependencies.now()));
    const { before, deposit: after } = await lookUpForOperator(dependencies, { id: deposit.id });
    expect([before.status, after.status]).toEqual(['PENDING', 'PAID']);
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID' });
    const again = await lookUpForOperator(dependencies, { id: deposit.id });
    expect([again.before.status, again.deposit.status]).toEqual(['PAID', 'PAID']);
  });

  test('and is refused while the provider does not answer, which changes nothing', async () => {
    const { bank, dependencies, deposit } = await pending(stage, 'hint');
    bank.isAway = true;
    await expect(lookUpForOperator(dependencies, { id: deposit.id })).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    });
    expect(await current(stage, deposit)).toMatchObject({ status: 'PENDING' });
  });
});

describe('an operator finds what became of a deposit:', () => {
  test('its refunds, by account, deposit, external_id, amount and end-to-end id', async () => {
    const deposit = await stage.paid();
    const { accountId, id: depositId } = deposit;
    const wanted = { environment: 'test', accountId, depositId, externalId: newId('request'), reason: null } as const;
    const { refund } = await createRefund(stage.dependencies, { ...wanted, amount: 100 }, { timeoutMs: 10_000 });
    const find = async (filter: object) =>
      (await listOperatorRefunds(stage.dependencies, { limit: 200, ...filter })).refunds.map(({ id }) => id);
    const at = Math.floor(idTimeMs(refund.id) / 1_000);
    for (const filter of [
      { accountId },
      { depositId },
      { externalId: wanted.externalId },
      { e2eId: deposit.e2eId },
      { accountId, minAmount: 100, maxAmount: 100, environment: 'test', currency: 'BRL', provider: 'sandbox' },
      { accountId, from: at, to: at + 1 },
    ]) {
      expect(await find(filter)).toEqual([refund.id]);
    }
    for (const filter of [{ minAmount: 101 }, { environment: 'live' }, { to: at }, { provider: 'efi' }]) {
      expect(await find({ accountId, ...filter })).toEqual([]);
    }
  });

  test('its disputes, by account, deposit, external_id and end-to-end id, and by when evidence is due', async () => {
    const deposit = await stage.paid();
    const { accountId, id: depositId } = deposit;
    const contested = { environment: 'test', accountId, depositId, amount: null } as const;
    const { dispute } = await simulateDispute(stage.dependencies, contested, { timeoutMs: 10_000 });
    const find = async (filter: object) =>
      (await listOperatorDisputes(stage.dependencies, { limit: 200, ...filter })).disputes.map(({ id }) => id);
    for (const filter of [{ accountId }, { depositId }, { externalId: deposit.externalId }, { e2eId: deposit.e2eId }]) {
      expect(await find(filter)).toEqual([dispute.id]);
    }
    expect(await find({ accountId, status: 'WON' })).toEqual([]);
    const dueSec = dispute.defenseDueAt === null ? null : Math.floor(Date.parse(dispute.defenseDueAt) / 1_000);
    expect(await find({ accountId, dueBefore: (dueSec ?? 0) + 1 })).toEqual(dueSec === null ? [] : [dispute.id]);
    expect(await find({ accountId, dueBefore: 1 })).toEqual([]);
  });
});
