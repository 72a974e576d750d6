import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Deposit, Dispute } from '@gateway/contracts/deposits';
import { asked } from '@gateway/providers/testing';
import type { Dependencies } from '#src/dependencies.ts';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { applyDisputeEvent, type DisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import { getDispute, listDisputes } from '#src/dispute/read-disputes.ts';
import { finishDisputes } from '#src/dispute/resume-dispute.ts';
import { simulateDispute, simulateDisputeResult } from '#src/dispute/simulate-dispute.ts';
import { getMoneyRecords } from '#src/providers/money-records.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(() => stage.ledger.answerAgain());
afterAll(async () => stage[Symbol.asyncDispose]());

const patient = { timeoutMs: 5_000 };
const environment = 'test' as const;

async function dispute({ accountId, id: depositId }: Deposit, amount: number | null = null) {
  const contested = { environment, accountId, depositId, amount };
  return (await simulateDispute(stage.dependencies, contested, patient)).dispute;
}

async function resolve({ accountId, id }: Dispute, result: 'won' | 'lost', dependencies = stage.dependencies) {
  return (await simulateDisputeResult(dependencies, { environment, accountId, id, result }, patient)).dispute;
}

async function read({ accountId, id }: Pick<Dispute, 'accountId' | 'id'>) {
  return (await getDispute(stage.dependencies, { environment, accountId, id })).dispute;
}

async function depositOf({ accountId, depositId }: Pick<Dispute, 'accountId' | 'depositId'>) {
  return (await getDeposit(stage.dependencies, { environment, accountId, id: depositId })).deposit;
}

async function eventsOf({ id }: Dispute): Promise<string[]> {
  const subjects = `select subject from outbox where payload::jsonb #>> '{dispute,id}' = $1 order by id`;
  const rows = await stage.dependencies.database.query<{ subject: string }>(subjects, [id]);
  return rows.map(({ subject }) => subject.split('.')[3]!);
}

const balanceOf = ({ accountId }: { accountId: string }) => stage.ledger.books.balanceOf(accountId);

/** What a provider says about the payment of a deposit. */
function reportOf(
  deposit: Deposit,
  type: DisputeEvent['type'],
  amount = deposit.amount,
  ref = deposit.id,
): DisputeEvent {
  const at = stage.dependencies.now();
  const { e2eId } = deposit;
  const money = { currency: 'BRL', amount } as const;
  return asked({ type, dedupeKey: `${type}:${ref}`, at, raw: null, disputeRef: ref, e2eId: e2eId!, money });
}

async function report(event: DisputeEvent, dependencies: Dependencies = stage.dependencies) {
  return await applyDisputeEvent(dependencies, { environment, provider: 'sandbox' }, event, 5_000);
}

describe('a dispute', () => {
  test('blocks the contested amount, says when a defence is due, and is told of', async () => {
    const deposit = await stage.paid();
    await stage.give(deposit.accountId, 1_000);
    const record = await dispute(deposit);
    expect(record).toMatchObject({ status: 'OPEN', amount: 10_000, blocked: 10_000, returned: 0, reason: 'FRAUD' });
    expect(Date.parse(record.defenseDueAt!) - Date.parse(record.openedAt)).toBe(7 * 86_400_000);
    expect(balanceOf(deposit)).toEqual({ available: 850, pending: 0, blocked: 10_000 });
    expect(await eventsOf(record)).toEqual(['opened']);
    await expect(dispute(deposit)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });

  test('is one at a time: of five that contest a deposit at once, one does', async () => {
    const deposit = await stage.paid();
    const tried = await Promise.allSettled(Array.from({ length: 5 }, () => dispute(deposit, 1_000)));
    const refused = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toMatchObject(Array(4).fill({ code: 'INVALID_STATE' }));
    expect(balanceOf(deposit)).toMatchObject({ blocked: 1_000 });
  });

  test('tells whoever the deposit told to be called back', async () => {
    const [owner, url] = [account(), 'https://merchant.example/hook'];
    const { deposit } = await stage.create(request(owner, { callbackUrl: url }));
    const { id } = await dispute((await stage.pay(owner.id, deposit.id)).deposit);
    const callback = `select payload::jsonb -> 'callback' as said from outbox where payload::jsonb #>> '{dispute,id}' = $1`;
    const callbacks = await stage.dependencies.database.query(callback, [id]);
    expect(callbacks).toEqual([{ said: { url, apiVersion: '0.1' } }]);
  });

  test('that is won gives back what was blocked, once', async () => {
    const deposit = await stage.paid();
    const opened = await dispute(deposit, 4_000);
    expect(await resolve(opened, 'won')).toMatchObject({ status: 'WON', blocked: 0, returned: 0 });
    expect(await resolve(opened, 'won')).toMatchObject({ status: 'WON' });
    expect(balanceOf(deposit)).toEqual({ available: 9_850, pending: 0, blocked: 0 });
    expect(await eventsOf(opened)).toEqual(['opened', 'won']);
    await expect(resolve(opened, 'lost')).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(await depositOf(opened)).toMatchObject({ status: 'PAID', refunded: 0 });
  });

  test('that is lost whole leaves the deposit REFUNDED and says so', async () => {
    const deposit = await stage.paid();
    await stage.give(deposit.accountId, 150);
    const opened = await dispute(deposit);
    expect(await resolve(opened, 'lost')).toMatchObject({ status: 'LOST', blocked: 0, returned: 10_000 });
    expect(balanceOf(deposit)).toEqual({ available: 0, pending: 0, blocked: 0 });
    expect(await depositOf(opened)).toMatchObject({ status: 'REFUNDED', refunded: 10_000 });
    expect((await stage.eventsOf(deposit.id)).at(-1)).toBe('event.deposits.deposit.refunded.v1');
  });

  test('over a part leaves the deposit PAID when lost', async () => {
    const deposit = await stage.paid();
    const opened = await dispute(deposit, 4_000);
    await resolve(opened, 'lost');
    expect(await depositOf(opened)).toMatchObject({ status: 'PAID', refunded: 4_000 });
    expect(balanceOf(deposit).available).toBe(5_850);
  });

  test('that is lost in part releases the rest', async () => {
    const deposit = await stage.paid();
    const opened = await dispute(deposit, 6_000);
    const refOf = 'select dispute_ref from dispute where id = $1';
    const [row] = await stage.dependencies.database.query<{ dispute_ref: string }>(refOf, [opened.id]);
    stage.passSeconds(1);
    await report(reportOf(deposit, 'dispute.lost', 2_500, row!.dispute_ref));
    expect(await read(opened)).toMatchObject({ status: 'LOST', blocked: 0, returned: 2_500 });
    expect(balanceOf(deposit)).toEqual({ available: 7_350, pending: 0, blocked: 0 });
  });

  test('that is lost in part beyond the balance has the rest of that part taken from later credits', async () => {
    const deposit = await stage.paid();
    await stage.give(deposit.accountId, -8_850);
    await report(reportOf(deposit, 'dispute.opened', 6_000));
    stage.passSeconds(60);
    const lost = await report(reportOf(deposit, 'dispute.lost', 2_500));
    expect(lost).toMatchObject({ returned: 1_000, shortfall: 1_500 });
    await stage.give(deposit.accountId, 1_500);
    stage.ledger.books.capture(deposit.accountId, lost.id, 1_500);
    stage.passSeconds(61);
    await finishDisputes(stage.dependencies);
    expect(await read(lost)).toMatchObject({ status: 'LOST', returned: 2_500 });
  });

  test('that is lost in parts is lost in all that has gone back, as each is told', async () => {
    const deposit = await stage.paid();
    const gone = (amount: number) => {
      stage.passSeconds(3_600);
      const at = stage.dependencies.now();
      const facts = { disputeRef: deposit.id, e2eId: deposit.e2eId!, returnId: `D${amount}` };
      const money = { currency: 'BRL', amount } as const;
      return report(asked({ type: 'dispute.lost', dedupeKey: `gone ${amount}`, at, raw: null, money, ...facts }));
    };
    await report(reportOf(deposit, 'dispute.opened'));
    expect(await gone(3_000)).toMatchObject({ state: 'LOST', returned: 3_000 });
    expect(balanceOf(deposit)).toEqual({ available: 6_850, pending: 0, blocked: 0 });
    for (const amount of [5_000, 5_000]) expect(await gone(amount)).toMatchObject({ returned: 5_000, attention: null });
    expect(balanceOf(deposit)).toEqual({ available: 4_850, pending: 0, blocked: 0 });
    const whole = await gone(10_000);
    expect(whole).toMatchObject({ returned: 9_850, shortfall: 150, stepSince: null, attention: null });
    expect(balanceOf(deposit)).toEqual({ available: 0, pending: 0, blocked: 0 });
  });

  test('larger than the balance blocks what is there, and the record follows later credits', async () => {
    const deposit = await stage.paid();
    await stage.give(deposit.accountId, -6_850);
    const opened = await dispute(deposit);
    expect(opened).toMatchObject({ blocked: 3_000 });
    await stage.give(deposit.accountId, 7_000);
    stage.ledger.books.capture(deposit.accountId, opened.id, 5_000);
    stage.passSeconds(61);
    await finishDisputes(stage.dependencies);
    expect(await read(opened)).toMatchObject({ blocked: 8_000 });
    await resolve(opened, 'lost');
    expect(await depositOf(opened)).toMatchObject({ status: 'PAID', refunded: 8_000 });
    stage.ledger.books.capture(deposit.accountId, opened.id, 2_000);
    stage.passSeconds(61);
    await finishDisputes(stage.dependencies);
    expect(await read(opened)).toMatchObject({ status: 'LOST', returned: 10_000 });
    expect(await depositOf(opened)).toMatchObject({ status: 'REFUNDED', refunded: 10_000 });
  });

  test('of a deposit that is not paid, over more than is left, or of another account is refused', async () => {
    const deposit = await stage.paid();
    await expect(dispute(deposit, 10_001)).rejects.toMatchObject({ details: [{ path: 'amount_cents' }] });
    await expect(dispute({ ...deposit, accountId: account().id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const opened = await dispute(deposit);
    await expect(read({ ...opened, accountId: account().id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await resolve(opened, 'won');
    await stage.dependencies.database.query(`update deposit set state = 'EXPIRED' where id = $1`, [deposit.id]);
    await expect(dispute(deposit)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });

  test('is listed newest first, by deposit and by status', async () => {
    const owner = account();
    const [first, second] = [await dispute(await stage.paid(owner)), await dispute(await stage.paid(owner))];
    const list = async (query: object) =>
      await listDisputes(stage.dependencies, { environment, accountId: owner.id, limit: 50, ...query });
    expect((await list({})).disputes).toEqual([second, first]);
    expect((await list({ depositId: first.depositId })).disputes).toEqual([first]);
    await resolve(second, 'won');
    expect((await list({ status: 'OPEN' })).disputes).toEqual([first]);
    const page = await list({ limit: 1 });
    expect((await list({ limit: 1, cursor: page.nextCursor })).disputes).toEqual([first]);
    await expect(list({ cursor: 'nonsense' })).rejects.toMatchObject({ details: [{ path: 'cursor' }] });
  });
});

describe('what a provider says about a dispute', () => {
  test('may be repeated and out of order: the balances are the same', async () => {
    const deposit = await stage.paid();
    const opened = reportOf(deposit, 'dispute.opened');
    stage.passSeconds(60);
    const review = reportOf(deposit, 'dispute.review');
    stage.passSeconds(60);
    const lost = reportOf(deposit, 'dispute.lost');
    for (const event of [lost, opened, review, lost, opened]) await report(event);
    const { accountId } = deposit;
    const { disputes } = await listDisputes(stage.dependencies, { environment, accountId, limit: 50 });
    expect(disputes).toMatchObject([{ status: 'LOST', returned: 9_850 }]);
    expect(await eventsOf(disputes[0]!)).toEqual(['opened', 'lost']);
    expect(balanceOf(deposit)).toEqual({ available: 0, pending: 0, blocked: 0 });
  });

  test('before the payment is recorded is to be told again', async () => {
    const deposit = await stage.paid();
    const early = { ...reportOf(deposit, 'dispute.opened'), e2eId: 'E0' };
    await expect(report(early)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('after the merchant has won opens a new dispute, which blocks again', async () => {
    const deposit = await stage.paid();
    await report(reportOf(deposit, 'dispute.opened', 4_000));
    stage.passSeconds(60);
    await report(reportOf(deposit, 'dispute.won', 4_000));
    expect(balanceOf(deposit)).toMatchObject({ available: 9_850, blocked: 0 });
    stage.passSeconds(60);
    expect(await report(reportOf(deposit, 'dispute.review', 4_000))).toMatchObject({ round: 2, blocked: 4_000 });
    const again = await report(reportOf(deposit, 'dispute.lost', 4_000));
    expect(again).toMatchObject({ round: 2, state: 'LOST', returned: 4_000 });
    expect(balanceOf(deposit)).toMatchObject({ available: 5_850, blocked: 0 });
  });

  test('that takes a lost dispute back gives the merchant back what was taken, once', async () => {
    const deposit = await stage.paid();
    await report(reportOf(deposit, 'dispute.opened', 4_000));
    stage.passSeconds(60);
    await report(reportOf(deposit, 'dispute.lost', 4_000));
    stage.passSeconds(60);
    const won = reportOf(deposit, 'dispute.won', 4_000);
    expect(await report(won)).toMatchObject({ state: 'WON', returned: 0 });
    await report(won);
    expect(balanceOf(deposit)).toMatchObject({ available: 9_850, blocked: 0 });
    expect(await depositOf({ ...deposit, depositId: deposit.id })).toMatchObject({ refunded: 0 });
  });

  test('that takes the loss of the whole back, and decides so again, takes the money again', async () => {
    const deposit = await stage.paid();
    await stage.give(deposit.accountId, 150);
    for (const type of ['dispute.lost', 'dispute.won', 'dispute.lost'] as const) {
      stage.passSeconds(60);
      await report(reportOf(deposit, type));
      expect(balanceOf(deposit)).toMatchObject({ available: type === 'dispute.won' ? 10_000 : 0, blocked: 0 });
    }
    expect(await depositOf({ ...deposit, depositId: deposit.id })).toMatchObject({
      status: 'REFUNDED',
      refunded: 10_000,
    });
  });

  test('that takes a lost dispute back lets its shortfall be, and gives back what later credits paid into it', async () => {
    const deposit = await stage.paid();
    await stage.give(deposit.accountId, -6_850);
    await report(reportOf(deposit, 'dispute.opened'));
    stage.passSeconds(1);
    expect(await report(reportOf(deposit, 'dispute.lost'))).toMatchObject({ returned: 3_000, shortfall: 7_000 });
    const { accountId } = deposit;
    const { disputes } = await listDisputes(stage.dependencies, { environment, accountId, limit: 1 });
    await stage.give(deposit.accountId, 5_000);
    stage.ledger.books.capture(deposit.accountId, disputes[0]!.id, 5_000);
    expect(balanceOf(deposit)).toEqual({ available: 0, pending: 0, blocked: 0 });
    stage.passSeconds(1);
    const won = { state: 'WON', returned: 0, overturned: 8_000, shortfall: 0 };
    expect(await report(reportOf(deposit, 'dispute.won'))).toMatchObject(won);
    const { records } = await getMoneyRecords(stage.dependencies.database, { environment, records: disputes });
    expect(records).toMatchObject([{ kind: 'dispute', state: 'WON', returned: 0, overturned: 8_000 }]);
    expect(balanceOf(deposit)).toEqual({ available: 8_000, pending: 0, blocked: 0 });
    expect(await depositOf(disputes[0]!)).toMatchObject({ status: 'PAID', refunded: 0 });
  });
});
