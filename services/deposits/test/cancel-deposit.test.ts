import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Asked, ChargeReceipt, PaymentProvider } from '@gateway/providers';
import { asked } from '@gateway/providers/testing';
import { cancelDeposit } from '#src/charge/cancel-deposit.ts';
import { simulateExpiry } from '#src/charge/expire-deposits.ts';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { listOrphanReceipts, retryOrphanReceipt } from '#src/orphan-receipts/operator-requests.ts';
import { returnOrphanReceipts } from '#src/orphan-receipts/return-orphan-receipts.ts';
import { applyReceipt } from '#src/payment/apply-receipt.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const created = 'event.deposits.deposit.created.v1';
const canceled = 'event.deposits.deposit.canceled.v1';
const expired = 'event.deposits.deposit.expired.v1';

async function pending(provider?: Partial<PaymentProvider>) {
  const owner = account();
  const dependencies = provider ? stage.onTheWire(provider) : stage.dependencies;
  const { deposit } = await stage.create(request(owner), dependencies);
  const key = { environment: 'test', accountId: owner.id, id: deposit.id } as const;
  const [row] = await dependencies.database.query<{ reference: string }>(
    'select reference from deposit where id = $1',
    [deposit.id],
  );
  const charge = { environment: 'test', provider: 'wired', reference: row!.reference } as const;
  return { owner, deposit, key, dependencies, charge };
}

let receipts = 0;
function receiptOf(amount = 10_000): Asked<ChargeReceipt> {
  const e2eId = `E12345678202603040506${String(++receipts).padStart(12, '0')}`;
  return asked({ e2eId, money: { currency: 'BRL', amount }, paidAt: stage.dependencies.now() });
}

async function orphansOf(depositId: string) {
  return await stage.dependencies.database.query(
    'select e2e_id, cause, state, amount, failure from orphan_receipt where deposit_id = $1 order by e2e_id',
    [depositId],
  );
}

/** What the ledger booked of orphan receipts of a deposit. */
function bookedFor(depositId: string): string[] {
  const decided = stage.ledger.decided.filter(({ kind }) => kind === 'hold-receipt' || kind === 'return-receipt');
  const held = decided.flatMap((command) =>
    command.kind === 'hold-receipt' && command.depositId === depositId ? [command.refundId] : [],
  );
  return decided.filter((command) => 'refundId' in command && held.includes(command.refundId)).map(({ kind }) => kind);
}

describe('a canceled deposit', () => {
  test('is FAILED, says so once, and cannot be canceled or paid again', async () => {
    const { owner, deposit, key } = await pending();
    expect(await cancelDeposit(stage.dependencies, key)).toMatchObject({ deposit: { status: 'FAILED' } });
    await expect(cancelDeposit(stage.dependencies, key)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await expect(stage.pay(owner.id, deposit.id)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(await stage.eventsOf(deposit.id)).toEqual([created, canceled]);
  });

  test('was PENDING before: neither paid nor expired ones can be canceled', async () => {
    const { owner, deposit, key } = await pending();
    await stage.pay(owner.id, deposit.id);
    await expect(cancelDeposit(stage.dependencies, key)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    const late = await pending();
    await simulateExpiry(stage.dependencies, late.key);
    await expect(cancelDeposit(stage.dependencies, late.key)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });

  test('cannot be one whose money is on its way to the balance: it is credited, and PAID', async () => {
    const { owner, deposit, key } = await pending();
    stage.ledger.loseAnswers();
    await expect(stage.payImpatiently(owner.id, deposit.id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(cancelDeposit(stage.dependencies, key)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    stage.ledger.answerAgain();
    expect((await stage.pay(owner.id, deposit.id)).deposit.status).toBe('PAID');
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(9_850);
  });

  test('of another account is not found', async () => {
    const { key } = await pending();
    const foreign = { ...key, accountId: account().id };
    await expect(cancelDeposit(stage.dependencies, foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('stays as it is while its provider does not say yes', async () => {
    const unsure = { kind: 'unknown', cause: 'the connection was reset' } as const;
    const { key, dependencies } = await pending({ cancelCharge: async () => unsure });
    await expect(cancelDeposit(dependencies, key)).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
    expect(await getDeposit(dependencies, key)).toMatchObject({ deposit: { status: 'PENDING' } });
  });

  test('whose charge is gone at the provider already is FAILED all the same', async () => {
    const { key, dependencies } = await pending({
      cancelCharge: async () => ({ kind: 'not_cancelable', message: 'not active', raw: null }),
      getCharge: async () => ({ status: 'CANCELED' }),
    });
    expect(await cancelDeposit(dependencies, key)).toMatchObject({ deposit: { status: 'FAILED' } });
  });

  test('is FAILED at the next call when the answer of the first was lost and the provider has taken the charge away', async () => {
    let calls = 0;
    const { key, dependencies } = await pending({
      cancelCharge: async () =>
        ++calls === 1
          ? { kind: 'unknown', cause: 'the connection was reset' }
          : { kind: 'not_cancelable', message: 'no such charge', raw: null },
      getCharge: async () => ({ status: 'NOT_FOUND' }),
    });
    await expect(cancelDeposit(dependencies, key)).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
    expect(await cancelDeposit(dependencies, key)).toMatchObject({ deposit: { status: 'FAILED' } });
  });

  test('that turns out to be paid is credited instead', async () => {
    const { owner, key, dependencies } = await pending({
      cancelCharge: async () => ({ kind: 'not_cancelable', message: 'paid', raw: null }),
      getCharge: async () => ({ status: 'PAID', receipts: [receiptOf()] }),
    });
    await expect(cancelDeposit(dependencies, key)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(await getDeposit(dependencies, key)).toMatchObject({ deposit: { status: 'PAID' } });
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(9_850);
  });
});

describe('money that belongs to no deposit', () => {
  test('because the deposit is canceled is not credited and goes back once, however often it is reported', async () => {
    const refunds: string[] = [];
    const { owner, deposit, key, dependencies, charge } = await pending({
      refund: async ({ ref, receipt }) => {
        refunds.push(receipt.e2eId);
        return { kind: 'accepted', status: 'DONE', providerRef: ref, returnId: `D${ref}` };
      },
    });
    await cancelDeposit(dependencies, key);
    const receipt = receiptOf();
    await applyReceipt(dependencies, charge, receipt, 5_000);
    await Promise.all([applyReceipt(dependencies, charge, receipt, 5_000), returnOrphanReceipts(dependencies)]);
    await returnOrphanReceipts(dependencies);
    expect(refunds).toEqual([receipt.e2eId]);
    expect(await orphansOf(deposit.id)).toMatchObject([{ cause: 'canceled', state: 'RETURNED', amount: 10_000 }]);
    expect(bookedFor(deposit.id)).toEqual(['hold-receipt', 'return-receipt']);
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(0);
    expect(await getDeposit(dependencies, key)).toMatchObject({ deposit: { status: 'FAILED' } });
  });

  test('because the deposit is paid already goes back, and the deposit keeps its first payment', async () => {
    const { owner, deposit, key, dependencies, charge } = await pending({});
    const [first, second] = [receiptOf(), receiptOf(7_000)];
    for (const receipt of [first, second, first, second]) await applyReceipt(dependencies, charge, receipt, 5_000);
    expect(await getDeposit(dependencies, key)).toMatchObject({ deposit: { status: 'PAID', e2eId: first.e2eId } });
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(9_850);
    expect(await orphansOf(deposit.id)).toMatchObject([
      { e2e_id: second.e2eId, cause: 'second_payment', state: 'RETURNING', amount: 7_000 },
    ]);
  });

  test('that the provider will not send back is kept for an operator, with the reason', async () => {
    const { deposit, dependencies, charge } = await pending({
      refund: async () => ({ kind: 'refused', code: 'account_closed', message: 'AC07', raw: null }),
    });
    for (const receipt of [receiptOf(), receiptOf()]) await applyReceipt(dependencies, charge, receipt, 5_000);
    await returnOrphanReceipts(dependencies);
    expect(await orphansOf(deposit.id)).toMatchObject([{ state: 'FAILED', failure: 'account_closed: AC07' }]);
    expect(bookedFor(deposit.id)).toEqual(['hold-receipt']);
    const list = (state: 'FAILED' | 'RETURNING') =>
      listOrphanReceipts(dependencies, { limit: 50, state, depositId: deposit.id });
    const failed = (await list('FAILED')).receipts;
    expect(failed).toMatchObject([{ cause: 'second_payment', amount: 10_000, failure: 'account_closed: AC07' }]);
    const { id } = failed[0]!;
    const named = async (externalId: string) =>
      (await listOrphanReceipts(dependencies, { limit: 50, externalId })).receipts.map((each) => each.id);
    expect(await named(deposit.externalId)).toEqual([id]);
    expect(await named('another reference')).toEqual([]);
    expect(await retryOrphanReceipt(dependencies, { id })).toMatchObject({ receipt: { state: 'RETURNING' } });
    await expect(retryOrphanReceipt(dependencies, { id })).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect((await list('RETURNING')).receipts).toMatchObject([{ id, failure: null }]);
    await returnOrphanReceipts(dependencies);
    expect((await list('FAILED')).receipts).toMatchObject([{ id, failure: 'account_closed: AC07' }]);
  });

  test('of which nothing is known is sent again only when the provider has denied it for two minutes', async () => {
    const references: string[] = [];
    const { deposit, dependencies, charge } = await pending({
      refund: async ({ ref }) => {
        references.push(ref);
        if (references.length === 1) return { kind: 'unknown', cause: 'timeout' };
        return { kind: 'accepted', status: 'PROCESSING', providerRef: 'P1' };
      },
      getRefund: async () => {
        if (references.length === 1) return { status: 'NOT_FOUND' };
        return asked({ status: 'DONE', providerRef: 'P1', returnId: 'D1' });
      },
    });
    for (const receipt of [receiptOf(), receiptOf()]) await applyReceipt(dependencies, charge, receipt, 5_000);
    for (let round = 0; round < 12; round++) {
      await returnOrphanReceipts(dependencies);
      if (round < 3) expect(references).toHaveLength(1);
      stage.passSeconds(60);
    }
    expect(references).toHaveLength(2);
    expect(new Set(references).size).toBe(1);
    expect(await orphansOf(deposit.id)).toMatchObject([{ state: 'RETURNED' }]);
  });

  test('of another amount than was asked is credited as it came, less its own fee, unless that is more', async () => {
    const { owner, key, deposit, dependencies, charge } = await pending({});
    await applyReceipt(dependencies, charge, receiptOf(50), 5_000);
    expect(await orphansOf(deposit.id)).toMatchObject([{ cause: 'within_fee' }]);
    await applyReceipt(dependencies, charge, receiptOf(4_000), 5_000);
    expect(await getDeposit(dependencies, key)).toMatchObject({ deposit: { amount: 4_000, fee: 90, net: 3_910 } });
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(3_910);
  });

  test('because no deposit of ours has the charge is left alone', async () => {
    const { dependencies, charge } = await pending({});
    await applyReceipt(dependencies, { ...charge, reference: 'somebodyelses' }, receiptOf(), 5_000);
    expect(await returnOrphanReceipts(dependencies)).toBe(false);
  });
});

describe('a test deposit whose time is let up', () => {
  test('expires once, and is paid late like any other', async () => {
    const { owner, deposit, key } = await pending();
    expect(await simulateExpiry(stage.dependencies, key)).toMatchObject({ deposit: { status: 'EXPIRED' } });
    expect(await simulateExpiry(stage.dependencies, key)).toMatchObject({ deposit: { status: 'EXPIRED' } });
    expect(await stage.eventsOf(deposit.id)).toEqual([created, expired]);
    expect(await stage.pay(owner.id, deposit.id)).toMatchObject({ deposit: { status: 'PAID' } });
    await expect(simulateExpiry(stage.dependencies, key)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });
});
