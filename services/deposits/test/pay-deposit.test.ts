import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expireDueDeposits } from '#src/charge/expire-deposits.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { creditReceivedPayments } from '#src/payment/credit-payment.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(() => stage.ledger.answerAgain());
afterAll(async () => stage[Symbol.asyncDispose]());

const created = 'event.deposits.deposit.created.v1';
const paid = 'event.deposits.deposit.paid.v1';
const expired = 'event.deposits.deposit.expired.v1';

async function pending(owner = account()) {
  const { deposit } = await stage.create(request(owner));
  return { owner, deposit };
}

async function statusOf({ accountId, id }: { accountId: string; id: string }) {
  const { deposit } = await getDeposit(stage.dependencies, { environment: 'test', accountId, id });
  return deposit.status;
}

function creditsOf(depositId: string) {
  return stage.ledger.decided.filter((command) => command.id === `credit-deposit:${depositId}`);
}

describe('a paid deposit', () => {
  test('is PAID with its payment, credited with the net amount, and said so once, however often it is paid', async () => {
    const { owner, deposit } = await pending();
    const { deposit: first } = await stage.pay(owner.id, deposit.id);
    expect(first).toMatchObject({ status: 'PAID', paidAt: stage.dependencies.now().toISOString() });
    expect(first.e2eId).toMatch(/^E99999999\d{12}\w{11}$/);
    expect(first.payerDetails).toEqual({
      name: 'PAGADOR DE TESTE',
      document: '***.982.247-**',
      bank: 'BANCO SANDBOX',
      ispb: '99999999',
    });
    stage.passSeconds(120);
    expect(await stage.pay(owner.id, deposit.id)).toEqual({ deposit: first });
    expect(stage.ledger.books.balanceOf(owner.id)).toEqual({ available: 9_850, pending: 0, blocked: 0 });
    expect(await stage.eventsOf(deposit.id)).toEqual([created, paid]);
  });

  test('raced by ten payments is credited once', async () => {
    const { owner, deposit } = await pending();
    const answers = await Promise.all(Array.from({ length: 10 }, () => stage.pay(owner.id, deposit.id)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(stage.ledger.books.balanceOf(owner.id)).toEqual({ available: 9_850, pending: 0, blocked: 0 });
    expect(await stage.eventsOf(deposit.id)).toEqual([created, paid]);
  });

  test('of an account with retention is credited as pending until n days after the payment', async () => {
    const { owner, deposit } = await pending(account({ retentionDays: 3 }));
    await stage.pay(owner.id, deposit.id);
    expect(stage.ledger.books.balanceOf(owner.id)).toEqual({ available: 0, pending: 9_850, blocked: 0 });
    const paidAt = Math.floor(stage.dependencies.now().getTime() / 1_000);
    expect(creditsOf(deposit.id)).toMatchObject([{ releaseAt: paidAt + 3 * 86_400 }]);
  });

  test('of another account or environment is not found', async () => {
    const { owner, deposit } = await pending();
    await expect(stage.pay(account().id, deposit.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const elsewhere = { environment: 'live', accountId: owner.id, id: deposit.id } as const;
    await expect(getDeposit(stage.dependencies, elsewhere)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('that has FAILED refuses the payment', async () => {
    const { owner, deposit } = await pending();
    await stage.dependencies.database.query(`update deposit set state = 'FAILED' where id = $1`, [deposit.id]);
    await expect(stage.pay(owner.id, deposit.id)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(creditsOf(deposit.id)).toEqual([]);
  });
});

test('a payment at a provider the ledger has not been told of is kept, and credited once when it has been', async () => {
  let isKnown = false;
  const untold: Dependencies = {
    ...stage.dependencies,
    askLedger: async (command, timeoutMs) => {
      if (isKnown) return await stage.dependencies.askLedger(command, timeoutMs);
      const refusal = { outcome: 'refused', refusal: 'unknown_provider', field: 'provider' } as const;
      return { ...refusal, commandId: command.id, balances: [], amounts: {}, replayed: false, link: null };
    },
  };
  const { owner, deposit } = await pending();
  await expect(stage.pay(owner.id, deposit.id, untold)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  stage.passSeconds(6);
  await creditReceivedPayments(untold);
  const kept = await stage.dependencies.database.query('select state from payment where deposit_id = $1', [deposit.id]);
  expect([kept, await statusOf(deposit)]).toEqual([[{ state: 'RECEIVED' }], 'PENDING']);
  isKnown = true;
  stage.passSeconds(3_600);
  await creditReceivedPayments(untold);
  expect(await statusOf(deposit)).toBe('PAID');
  expect(creditsOf(deposit.id)).toHaveLength(1);
  expect(stage.ledger.books.balanceOf(owner.id)).toEqual({ available: 9_850, pending: 0, blocked: 0 });
});

describe('a payment whose process was interrupted', () => {
  test('before the ledger answered is completed by the sweeper, with one credit', async () => {
    const { owner, deposit } = await pending();
    stage.ledger.loseAnswers();
    await expect(stage.payImpatiently(owner.id, deposit.id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await statusOf(deposit)).toBe('PENDING');
    stage.ledger.answerAgain();
    await creditReceivedPayments(stage.dependencies);
    expect(await statusOf(deposit)).toBe('PENDING');
    stage.passSeconds(6);
    await creditReceivedPayments(stage.dependencies);
    expect(await statusOf(deposit)).toBe('PAID');
    expect(stage.ledger.books.balanceOf(owner.id)).toEqual({ available: 9_850, pending: 0, blocked: 0 });
    expect(await stage.eventsOf(deposit.id)).toEqual([created, paid]);
  });

  test('between the credit and its record is completed by the sweeper and by a repetition alike', async () => {
    const dying: Dependencies = {
      ...stage.dependencies,
      askLedger: async (command, timeoutMs) => {
        await stage.dependencies.askLedger(command, timeoutMs);
        throw new Error('the process ends here');
      },
    };
    const { owner, deposit } = await pending();
    await expect(stage.pay(owner.id, deposit.id, dying)).rejects.toThrow('the process ends here');
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(9_850);
    expect(await statusOf(deposit)).toBe('PENDING');
    stage.passSeconds(6);
    await Promise.all([creditReceivedPayments(stage.dependencies), stage.pay(owner.id, deposit.id)]);
    expect(await statusOf(deposit)).toBe('PAID');
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(9_850);
    expect(await stage.eventsOf(deposit.id)).toEqual([created, paid]);
  });

  test('and that is repeated later keeps its time of release, so the ledger is asked for the same', async () => {
    const { owner, deposit } = await pending(account({ retentionDays: 2 }));
    stage.ledger.loseAnswers();
    await expect(stage.payImpatiently(owner.id, deposit.id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    stage.ledger.answerAgain();
    stage.passSeconds(100_000);
    expect(await stage.pay(owner.id, deposit.id)).toMatchObject({ deposit: { status: 'PAID' } });
    expect(creditsOf(deposit.id)).toHaveLength(1);
  });
});

describe('a deposit whose time is up', () => {
  test('expires once, with its event, and others stay as they are', async () => {
    const due = await pending();
    stage.passSeconds(1_800);
    const later = await pending();
    stage.passSeconds(1_800);
    await Promise.all([expireDueDeposits(stage.dependencies), expireDueDeposits(stage.dependencies)]);
    expect(await statusOf(due.deposit)).toBe('EXPIRED');
    expect(await statusOf(later.deposit)).toBe('PENDING');
    expect(await stage.eventsOf(due.deposit.id)).toEqual([created, expired]);
  });

  test('and is paid late becomes PAID and is credited', async () => {
    const { owner, deposit } = await pending();
    stage.passSeconds(3_601);
    await expireDueDeposits(stage.dependencies);
    expect(await stage.pay(owner.id, deposit.id)).toMatchObject({ deposit: { status: 'PAID' } });
    expect(stage.ledger.books.balanceOf(owner.id).available).toBe(9_850);
    expect(await stage.eventsOf(deposit.id)).toEqual([created, expired, paid]);
  });

  test('and was paid is left alone', async () => {
    const { owner, deposit } = await pending();
    await stage.pay(owner.id, deposit.id);
    stage.passSeconds(3_601);
    await expireDueDeposits(stage.dependencies);
    expect(await statusOf(deposit)).toBe('PAID');
  });
});
