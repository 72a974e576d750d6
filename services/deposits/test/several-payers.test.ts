import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';
import type { Asked, ChargeReceipt, RefundInput } from '@gateway/providers';
import { asked } from '@gateway/providers/testing';
import { cancelDeposit } from '#src/charge/cancel-deposit.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { returnOrphanReceipts } from '#src/orphan-receipts/return-orphan-receipts.ts';
import { applyReceipt } from '#src/payment/apply-receipt.ts';
import { getOperatorDeposit, listOperatorDeposits } from '#src/payment/operator-deposits.ts';
import { createRefund } from '#src/refund/create-refund.ts';
import { listOperatorRefunds } from '#src/refund/read-refunds.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const environment = 'test' as const;
let keys = 0;
const newKey = () => `PAG${String(++keys).padStart(20, '0')}`;

/** As Fintoc reports a payment: the tracking key of the payer's bank, and an id of its own. */
function receipt(e2eId: string, amount: number, transferId?: string): Asked<ChargeReceipt> {
  const paidAt = stage.dependencies.now();
  const name = transferId === undefined ? { e2eId } : { e2eId, transferId };
  return asked({ ...name, money: { currency: 'MXN', amount }, paidAt, payer: { name: 'JUAN PEREZ' } });
}

/** A charge of 100.00 MXN at a provider that sends back what it is asked to. */
async function charged(refunds: RefundInput[] = [], owner = account()) {
  const wired = stage.onTheWire({
    refund: async (input) => {
      refunds.push(input);
      return { kind: 'accepted', status: 'DONE', providerRef: `tr_${input.ref}`, returnId: `D${input.ref}` };
    },
  });
  const { deposit } = await stage.create(request(owner, { currency: 'MXN', paymentMethod: 'SPEI' }), wired);
  const take = async (each: Asked<ChargeReceipt>) => {
    stage.passSeconds(1);
    await applyReceipt(wired, { environment, provider: 'wired', reference: deposit.id.slice(4) }, each, 5_000);
  };
  return { wired, owner, deposit, take };
}

const look = async ({ accountId, id }: Deposit) =>
  (await getDeposit(stage.dependencies, { environment, accountId, id })).deposit;
const available = ({ accountId }: Deposit) => stage.ledger.books.balanceOf(accountId).available;

async function orphansOf({ id }: Deposit) {
  return await stage.dependencies.database.query<{ cause: string; amount: number }>(
    'select cause, amount from orphan_receipt where deposit_id = $1 order by amount',
    [id],
  );
}

async function refund(dependencies: Dependencies, { accountId, id: depositId }: Deposit, amount: number | null) {
  const wanted = { environment, accountId, depositId, externalId: newId('request'), amount, reason: null };
  return (await createRefund(dependencies, wanted, { timeoutMs: 5_000 })).refund;
}

describe('payments to which two banks have given the same tracking key', () => {
  test('are each credited to their own deposit, which people know by the tracking key', async () => {
    const key = newKey();
    const [one, other] = [await charged(), await charged()];
    await one.take(receipt(key, 10_000, 'tr_of_one'));
    await other.take(receipt(key, 10_000, 'tr_of_other'));
    for (const { deposit } of [one, other]) {
      expect(await look(deposit)).toMatchObject({ status: 'PAID', amount: 10_000, e2eId: key });
      expect(available(deposit)).toBe(9_850);
    }
    const { deposits } = await listOperatorDeposits(stage.dependencies, { limit: 10, e2eId: key });
    expect(deposits.map(({ id }) => id).sort()).toEqual([one.deposit.id, other.deposit.id].sort());
  });

  test('both count for one charge, once each', async () => {
    const key = newKey();
    const { deposit, take } = await charged();
    const parts = [receipt(key, 6_000, 'tr_first'), receipt(key, 4_000, 'tr_second')];
    for (const part of [...parts, ...parts]) await take(part);
    expect(await look(deposit)).toMatchObject({ status: 'PAID', amount: 10_000 });
    expect(await orphansOf(deposit)).toEqual([]);
    const { transfers } = await getOperatorDeposit(stage.dependencies, { id: deposit.id });
    expect(transfers.map(({ e2eId, transferId }) => [e2eId, transferId])).toEqual([
      [key, 'tr_first'],
      [key, 'tr_second'],
    ]);
  });
});

describe('a payment that was recorded by its tracking key alone', () => {
  test('is not credited again under the id of its provider', async () => {
    const key = newKey();
    const { deposit, take } = await charged();
    await take(receipt(key, 10_000));
    for (let time = 0; time < 2; time += 1) await take(receipt(key, 10_000, 'tr_known_before'));
    expect(await look(deposit)).toMatchObject({ status: 'PAID', amount: 10_000, e2eId: key });
    expect(available(deposit)).toBe(9_850);
    expect(await orphansOf(deposit)).toEqual([]);
  });

  test('counts once as a part of what is paid later, also when two processes hear of it at once', async () => {
    const key = newKey();
    const { deposit, take } = await charged();
    await take(receipt(key, 6_000));
    await Promise.all([take(receipt(key, 6_000, 'tr_part')), take(receipt(key, 6_000, 'tr_part'))]);
    expect(await look(deposit)).toMatchObject({ status: 'PENDING', received: 6_000 });
    await take(receipt(newKey(), 4_000, 'tr_rest'));
    expect(await look(deposit)).toMatchObject({ status: 'PAID', amount: 10_000 });
    expect(await orphansOf(deposit)).toEqual([]);
  });

  test('and went back does not go back again', async () => {
    const key = newKey();
    const refunds: RefundInput[] = [];
    const { wired, owner, deposit, take } = await charged(refunds);
    await cancelDeposit(wired, { environment, accountId: owner.id, id: deposit.id });
    await take(receipt(key, 10_000));
    await returnOrphanReceipts(wired);
    await take(receipt(key, 10_000, 'tr_canceled'));
    await returnOrphanReceipts(wired);
    expect(await orphansOf(deposit)).toEqual([{ cause: 'canceled', amount: 10_000 }]);
    expect(refunds).toHaveLength(1);
  });

  test('is not taken for one of another bank that has the same tracking key', async () => {
    const key = newKey();
    const { deposit, take } = await charged();
    await take(receipt(key, 6_000));
    await take(receipt(key, 6_000, 'tr_of_before'));
    await take(receipt(key, 6_000, 'tr_of_another_bank'));
    expect(await look(deposit)).toMatchObject({ status: 'PAID', amount: 12_000 });
  });

  test('is refused to a process of the version before once it is on record by its id', async () => {
    const key = newKey();
    const { deposit, take } = await charged();
    await take(receipt(key, 10_000, 'tr_new'));
    await expect(take(receipt(key, 10_000))).rejects.toThrow(/is on record by the id of its provider/);
    expect(available(deposit)).toBe(9_850);
    expect(await orphansOf(deposit)).toEqual([]);
  });
});

describe('a deposit that several payers paid', () => {
  async function paidByTwo() {
    const refunds: RefundInput[] = [];
    const free = { fixedCents: 0, bps: 0 };
    const { wired, deposit, take } = await charged(refunds, account({ fees: { deposit: free, payout: free } }));
    await take(receipt(newKey(), 6_000, `tr_of_ana_${deposit.id}`));
    await take(receipt(newKey(), 4_000, `tr_of_rui_${deposit.id}`));
    return { deposit, refund: (amount: number | null) => refund(wired, deposit, amount), refunds };
  }
  const sentBack = (refunds: readonly RefundInput[]) =>
    refunds.map(({ receipt: { transferId }, money }) => [transferId?.slice(0, 9), money.amount]);

  test('goes back to each of them, and never more than each has sent', async () => {
    const { deposit, refund: give, refunds } = await paidByTwo();
    for (const amount of [3_000, 3_000, 3_000, 1_000]) {
      expect(await give(amount)).toMatchObject({ status: 'DONE', amount });
    }
    expect(sentBack(refunds)).toEqual([
      ['tr_of_rui', 3_000],
      ['tr_of_ana', 3_000],
      ['tr_of_ana', 3_000],
      ['tr_of_rui', 1_000],
    ]);
    expect(await look(deposit)).toMatchObject({ status: 'REFUNDED', refunded: 10_000 });
  });

  test('is not refunded in one go: the refusal says how much is', async () => {
    const { deposit, refund: give, refunds } = await paidByTwo();
    const message = expect.stringMatching('^at most 6000 can be refunded at once: ') as string;
    for (const amount of [null, 10_000, 6_001]) {
      await expect(give(amount)).rejects.toMatchObject({ code: 'REFUND_EXCEEDS_AMOUNT', message });
    }
    expect(refunds).toEqual([]);
    expect(await give(6_000)).toMatchObject({ status: 'DONE' });
    expect(await give(null)).toMatchObject({ status: 'DONE', amount: 4_000 });
    expect(sentBack(refunds)).toEqual([
      ['tr_of_ana', 6_000],
      ['tr_of_rui', 4_000],
    ]);
    expect(await look(deposit)).toMatchObject({ status: 'REFUNDED' });
  });

  test('raced by two refunds of the same transfer gives it back once', async () => {
    const { refund: give, refunds } = await paidByTwo();
    const raced = await Promise.allSettled([give(6_000), give(6_000)]);
    expect(raced.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(sentBack(refunds)).toEqual([['tr_of_ana', 6_000]]);
  });

  test('shows operators its refunds by the tracking key', async () => {
    const { deposit, refund: give } = await paidByTwo();
    const { id } = await give(6_000);
    const { transfers } = await getOperatorDeposit(stage.dependencies, { id: deposit.id });
    const e2eId = transfers[0]?.e2eId;
    const { refunds } = await listOperatorRefunds(stage.dependencies, { limit: 10, e2eId });
    expect(refunds).toMatchObject([{ id }]);
  });
});
