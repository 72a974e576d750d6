import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amountMax } from '@gateway/money';
import type { Asked, ChargeReceipt } from '@gateway/providers';
import { asked } from '@gateway/providers/testing';
import { cancelDeposit } from '#src/charge/cancel-deposit.ts';
import { expireDueDeposits } from '#src/charge/expire-deposits.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { applyDisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import { applyReceipt } from '#src/payment/apply-receipt.ts';
import { creditReceivedPayments } from '#src/payment/credit-payment.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const created = 'event.deposits.deposit.created.v1';
const paid = 'event.deposits.deposit.paid.v1';
const partiallyPaid = 'event.deposits.deposit.partially-paid.v1';
const expired = 'event.deposits.deposit.expired.v1';

/** A charge of 100.00 MXN; the fee is 0.50 and one percent of what is paid. */
async function charged(dependencies: Dependencies = stage.dependencies) {
  const owner = account();
  const spei = { currency: 'MXN', paymentMethod: 'SPEI' } as const;
  const { deposit } = await stage.create(request(owner, spei), dependencies);
  const pay = async (amount: number | null = null) =>
    (await stage.pay(owner.id, deposit.id, dependencies, amount)).deposit;
  return { owner, deposit, pay };
}

const look = async ({ accountId, id }: { accountId: string; id: string }) =>
  (await getDeposit(stage.dependencies, { environment: 'test', accountId, id })).deposit;

const creditsOf = (depositId: string) =>
  stage.ledger.decided.filter((command) => command.id === `credit-deposit:${depositId}`);

async function orphansOf(depositId: string) {
  return await stage.dependencies.database.query<{ cause: string; amount: number }>(
    'select cause, amount from orphan_receipt where deposit_id = $1 order by amount',
    [depositId],
  );
}

describe('a SPEI charge', () => {
  test('has an account number of its own and a page to pay on', async () => {
    const [one, other] = [await charged(), await charged()];
    expect(one.deposit.clabe).toMatch(/^\d{18}$/);
    expect(one.deposit.beneficiary).toBe('SANDBOX NO PAGAR');
    expect(other.deposit.clabe).not.toBe(one.deposit.clabe);
    expect(one.deposit.redirectUrl).toMatch(new RegExp(`^https://pay.example/pay/${one.deposit.id}/test\\.acc_`));
    expect(one.deposit).toMatchObject({ emv: null, qrUrl: null, received: 0 });
  });

  test('paid as asked is PAID and credited net', async () => {
    const { owner, pay } = await charged();
    expect(await pay()).toMatchObject({ status: 'PAID', amount: 10_000, fee: 150, net: 9_850, received: 10_000 });
    expect(stage.ledger.books.balanceOf(owner.id)).toEqual({ available: 9_850, pending: 0, blocked: 0 });
  });

  test('overpaid is credited with what came, its fee worked out of that', async () => {
    const { owner, deposit, pay } = await charged();
    expect(await pay(30_000)).toMatchObject({
      ...{ status: 'PAID', asked: 10_000, amount: 30_000, received: 30_000, fee: 350, net: 29_650 },
    });
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(29_650);
    expect(creditsOf(deposit.id)).toMatchObject([{ currency: 'MXN', amount: 30_000, fee: 350 }]);
  });

  test('underpaid stays PENDING, uncredited, until the rest arrives; then all of it is one credit', async () => {
    const { owner, deposit, pay } = await charged();
    expect(await pay(4_000)).toMatchObject({ status: 'PENDING', received: 4_000, amount: 10_000, e2eId: null });
    expect(await pay(1)).toMatchObject({ status: 'PENDING', received: 4_001 });
    expect(creditsOf(deposit.id)).toEqual([]);
    expect(await pay()).toMatchObject({ status: 'PAID', amount: 10_000, received: 10_000, net: 9_850 });
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(9_850);
    expect(await stage.eventsOf(deposit.id)).toEqual([created, partiallyPaid, partiallyPaid, paid]);
    expect(await pay(500)).toMatchObject({ status: 'PAID', amount: 10_000 });
    expect(creditsOf(deposit.id)).toHaveLength(1);
  });

  test('raced by ten payers of the rest is credited once', async () => {
    const { owner, pay } = await charged();
    await pay(2_000);
    await Promise.all(Array.from({ length: 10 }, () => pay()));
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(9_850);
  });

  test('underpaid when its time is up expires, and what came is credited as a late payment', async () => {
    const { owner, deposit, pay } = await charged();
    await pay(5_000);
    stage.passSeconds(3_601);
    await expireDueDeposits(stage.dependencies);
    await creditReceivedPayments(stage.dependencies);
    expect(await look(deposit)).toMatchObject({
      ...{ status: 'PAID', asked: 10_000, amount: 5_000, received: 5_000, fee: 100, net: 4_900 },
    });
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(4_900);
    expect(await stage.eventsOf(deposit.id)).toEqual([created, partiallyPaid, expired, paid]);
  });

  test('that did not even get its fee by then sends back what came', async () => {
    const { deposit, pay } = await charged();
    await pay(30);
    stage.passSeconds(3_601);
    await expireDueDeposits(stage.dependencies);
    await creditReceivedPayments(stage.dependencies);
    expect(await look(deposit)).toMatchObject({ status: 'EXPIRED', received: 0 });
    expect(await orphansOf(deposit.id)).toEqual([{ cause: 'within_fee', amount: 30 }]);
  });

  test('credits what comes after that without what went back', async () => {
    const { owner, deposit, pay } = await charged();
    await pay(30);
    stage.passSeconds(3_601);
    await expireDueDeposits(stage.dependencies);
    expect(await pay(40)).toMatchObject({ status: 'EXPIRED', received: 0 });
    expect(await pay(7_000)).toMatchObject({ status: 'PAID', amount: 7_000, fee: 120 });
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(6_880);
    expect(await orphansOf(deposit.id)).toMatchObject([{ amount: 30 }, { amount: 40 }]);
  });

  test('takes no more in all than a credit may carry', async () => {
    const { deposit, pay } = await charged();
    await pay(9_999);
    await expect(pay(100_000_000_000)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'amount_cents' }],
    });
    expect(await look(deposit)).toMatchObject({ status: 'PENDING', received: 9_999 });
  });

  test('underpaid late is credited with what came: nobody waits for the rest', async () => {
    const { deposit, pay } = await charged();
    stage.passSeconds(3_601);
    await expireDueDeposits(stage.dependencies);
    expect(await pay(7_000)).toMatchObject({ id: deposit.id, status: 'PAID', amount: 7_000, fee: 120 });
  });

  test('canceled half paid sends back what came', async () => {
    const { owner, deposit, pay } = await charged();
    await pay(5_000);
    const key = { environment: 'test', accountId: owner.id, id: deposit.id } as const;
    expect((await cancelDeposit(stage.dependencies, key)).deposit.status).toBe('FAILED');
    expect(await orphansOf(deposit.id)).toEqual([{ cause: 'canceled', amount: 5_000 }]);
    await expect(pay()).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });
});

describe('transfers a provider tells of', () => {
  const receipt = (e2eId: string, amount: number): Asked<ChargeReceipt> =>
    asked({
      e2eId,
      money: { currency: 'MXN', amount },
      paidAt: stage.dependencies.now(),
      payer: { name: 'JUAN PEREZ', document: 'XAXX010101000' },
    });

  test('count once each, however often and in whatever order they are told', async () => {
    const wired = stage.onTheWire({});
    const { owner, deposit } = await charged(wired);
    const charge = { environment: 'test', provider: 'wired', reference: deposit.id.slice(4) } as const;
    const take = (each: Asked<ChargeReceipt>) => applyReceipt(wired, charge, each, 5_000);
    const [first, second, third] = [
      receipt(`B${charge.reference}`, 6_000),
      receipt(`A${charge.reference}`, 6_000),
      receipt(`C${charge.reference}`, 700),
    ];
    await take(first);
    await take(first);
    expect(await look(deposit)).toMatchObject({ status: 'PENDING', received: 6_000 });
    await Promise.all([take(second), take(first)]);
    expect(await look(deposit)).toMatchObject({ status: 'PAID', amount: 12_000, e2eId: expect.any(String) as string });
    for (const each of [first, second, third, third]) await take(each);
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(12_000 - 170);
    expect(await orphansOf(deposit.id)).toEqual([{ cause: 'second_payment', amount: 700 }]);
  });

  test('that would make the payment more than a credit may carry go back, once; what came before is kept', async () => {
    const wired = stage.onTheWire({});
    const { owner, deposit } = await charged(wired);
    const charge = { environment: 'test', provider: 'wired', reference: deposit.id.slice(4) } as const;
    const take = (each: Asked<ChargeReceipt>) => applyReceipt(wired, charge, each, 5_000);
    await take(receipt(`B${charge.reference}`, 4_000));
    const tooMuch = receipt(`A${charge.reference}`, amountMax - 3_999);
    for (const each of [tooMuch, tooMuch]) await take(each);
    expect(await look(deposit)).toMatchObject({ status: 'PENDING', received: 4_000 });
    expect(await orphansOf(deposit.id)).toEqual([{ cause: 'over_limit', amount: amountMax - 3_999 }]);
    await take(receipt(`C${charge.reference}`, 6_000));
    expect(await look(deposit)).toMatchObject({ status: 'PAID', amount: 10_000, received: 10_000 });
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(9_850);
  });

  test('are contested by the id of any of them, and as one payment', async () => {
    const wired = stage.onTheWire({});
    const { owner, deposit } = await charged(wired);
    const source = { environment: 'test', provider: 'wired' } as const;
    const charge = { ...source, reference: deposit.id.slice(4) } as const;
    const earlier = receipt(`A${charge.reference}`, 4_000);
    for (const each of [earlier, receipt(`B${charge.reference}`, 6_000)])
      await applyReceipt(wired, charge, each, 5_000);
    const { e2eId, money } = earlier;
    const at = stage.dependencies.now();
    const contested = asked({
      type: 'dispute.opened',
      dedupeKey: e2eId,
      at,
      raw: null,
      disputeRef: e2eId,
      e2eId,
      money,
    } as const);
    const dispute = await applyDisputeEvent(wired, source, contested, 5_000);
    expect(dispute).toMatchObject({ state: 'OPEN', depositId: deposit.id, e2eId, amount: 4_000, blocked: 4_000 });
    expect(stage.ledger.books.balanceOf(owner.id)).toMatchObject({ available: 5_850, blocked: 4_000 });
  });
});

describe('a PIX charge', () => {
  test('takes no other amount than its code says', async () => {
    const owner = account();
    const { deposit } = await stage.create(request(owner));
    await expect(stage.pay(owner.id, deposit.id, stage.dependencies, 1)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'amount_cents' }],
    });
  });
});
