import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireDueDeposits } from '#src/expiry/expire-due-deposits.ts';
import { takeNotification } from '#src/notifications/take-notification.ts';
import { creditReceivedPayments } from '#src/payment/credit-received-payments.ts';
import { lookUpOpenDisputes } from '#src/polling/look-up-open-disputes.ts';
import { disputed, notificationOf, paid } from './bank.ts';
import { current, disputesOf, expectBalance, itemsOf, orphansOf, pass, pending, round } from './receiving.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const now = () => stage.dependencies.now();
const daySec = 86_400;

describe('a payment whose notification never came', () => {
  test('is credited from the list, once, without a question for it', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    await pass(stage, dependencies, 60);
    bank.questions.length = 0;
    const event = paid(ref, now());
    bank.lists.payments.push({ event, at: now() });
    await pass(stage, dependencies, 900, 60);
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID', e2eId: event.e2eId });
    expectBalance(stage, deposit, 9_850);
    expect(bank.questions.some((question) => question.startsWith('charge'))).toBe(false);
  });

  test('that its provider books late, behind what has been read, is credited all the same', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    await pass(stage, dependencies, 300);
    const at = now();
    await pass(stage, dependencies, 90);
    bank.lists.payments.push({ event: paid(ref, at), at });
    await pass(stage, dependencies, 120);
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID' });
  });

  test('that cannot be taken is tried again, and those behind it are taken', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    await pass(stage, dependencies, 60);
    const strange = { ...paid(ref, now()), money: { currency: 'BRL', amount: 1e19 } } as const;
    const other = await stage.create(request(account()), dependencies);
    const event = paid(other.deposit.id.slice(4), now());
    bank.lists.payments.push({ event: strange, at: now() }, { event, at: now() });
    await pass(stage, dependencies, 90);
    expect(await current(stage, other.deposit)).toMatchObject({ status: 'PAID' });
    expect(await itemsOf(stage, bank)).toMatchObject([{ feed: 'payments', state: 'WAITING' }]);
    await stage.dependencies.database.query(
      `update item_inbox set raw = replace(raw, '10000000000000000000', '10000')`,
    );
    await pass(stage, dependencies, 900, 60);
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID' });
  });

  test('and is in no list either is found when the charge expires', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    bank.receives(paid(ref, now()));
    stage.passSeconds(3_601);
    await expireDueDeposits(dependencies);
    expect(await current(stage, deposit)).toMatchObject({ status: 'EXPIRED' });
    await dependencies.feeds.takeDue();
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID' });
    expectBalance(stage, deposit, 9_850);
  });

  test('of others is left alone, and shown as theirs after ten minutes', async () => {
    const { bank, dependencies } = await pending(stage, 'hint');
    await pass(stage, dependencies, 60);
    bank.lists.payments.push({ event: paid('somebodyelses', now()), at: now() });
    await pass(stage, dependencies, 900, 60);
    expect(await itemsOf(stage, bank)).toMatchObject([{ feed: 'payments', state: 'FOREIGN' }]);
    expect(bank.questions.some((question) => question.startsWith('charge'))).toBe(false);
  });
});

describe('money taken back under MED', () => {
  /** A payment that was credited, and then is an hour old. */
  async function credited() {
    const setting = await pending(stage, 'hint');
    const { bank, dependencies, ref } = setting;
    const payment = paid(ref, now());
    bank.receives(payment);
    await takeNotification(dependencies, notificationOf([payment], bank.id));
    expectBalance(stage, setting.deposit, 9_850);
    stage.passSeconds(3_600);
    return { ...setting, payment };
  }

  test('is booked at once when a notification hints at it, and found by its own id', async () => {
    const { bank, dependencies, deposit, payment } = await credited();
    const lost = disputed(payment.e2eId, 'dispute.lost', now());
    bank.decides(lost);
    await takeNotification(dependencies, notificationOf([payment, lost], bank.id));
    expect(bank.questions).toContain(`disputes ${payment.e2eId}`);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'LOST' }]);
    expectBalance(stage, deposit, 0);
  });

  test.each([
    ['a day', 1, 7_200],
    ['two months', 60, 86_400],
  ])(
    '%s after the payment is booked from the list of returns when the notification was lost',
    async (_what, days, stepSec) => {
      const { bank, dependencies, deposit, payment } = await credited();
      await pass(stage, dependencies, 600, 60);
      const lost = disputed(
        payment.e2eId,
        'dispute.lost',
        new Date(now().getTime() + days * daySec * 1_000 - 7_200_000),
      );
      await pass(stage, dependencies, days * daySec - 7_200, stepSec);
      bank.lists.returns.push({ event: lost, at: payment.at });
      await pass(stage, dependencies, (days === 1 ? 1 : 33) * daySec, stepSec);
      expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'LOST' }]);
    },
  );
});

describe('disputes', () => {
  test('are learned while payments cannot be read at all', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const payment = paid(ref, now());
    bank.receives(payment);
    await takeNotification(dependencies, notificationOf([payment], bank.id));
    await pass(stage, dependencies, 60);
    bank.instead = (name) => (name === 'payments' ? { kind: 'unreadable', cause: 'not JSON' } : null);
    bank.lists.disputes.push({ event: disputed(payment.e2eId, 'dispute.opened', now()), at: now() });
    await pass(stage, dependencies, 90);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'OPEN' }]);
    bank.lists.disputes.push({ event: disputed(payment.e2eId, 'dispute.lost', now()), at: now() });
    await pass(stage, dependencies, 90);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'LOST' }]);
  });

  test('of a list are read around one that cannot be, which is set aside', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const payment = paid(ref, now());
    bank.receives(payment);
    await takeNotification(dependencies, notificationOf([payment], bank.id));
    await pass(stage, dependencies, 60);
    bank.lists.disputes.push(
      { event: disputed('E-strange', 'dispute.opened', now()), at: now(), isUnreadable: true },
      { event: disputed(payment.e2eId, 'dispute.opened', now()), at: now() },
    );
    await pass(stage, dependencies, 90);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'OPEN' }]);
    expect(await itemsOf(stage, bank)).toMatchObject([{ feed: 'disputes', state: 'UNREADABLE' }]);
  });

  test('that a list only points at are asked about by their own id', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const payment = paid(ref, now());
    bank.receives(payment);
    await takeNotification(dependencies, notificationOf([payment], bank.id));
    await pass(stage, dependencies, 60);
    bank.decides(disputed(payment.e2eId, 'dispute.opened', now(), 4_000));
    const pointer = disputed(payment.e2eId, 'dispute.opened', now(), 1);
    bank.lists.disputes.push({ event: pointer, at: now(), isPointer: true });
    await pass(stage, dependencies, 90);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'OPEN', amount: 4_000 }]);
  });

  test('that are open are asked about every six hours: a decision that no list and no notification tells is carried out', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const payment = paid(ref, now());
    bank.receives(payment);
    const opened = disputed(payment.e2eId, 'dispute.opened', now());
    bank.decides(opened);
    await takeNotification(dependencies, notificationOf([payment, opened], bank.id));
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'OPEN' }]);
    await lookUpOpenDisputes(dependencies);
    stage.passSeconds(6 * daySec);
    bank.decides(disputed(payment.e2eId, 'dispute.lost', now()));
    bank.questions.length = 0;
    await lookUpOpenDisputes(dependencies);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'LOST' }]);
    await lookUpOpenDisputes(dependencies);
    expect(bank.questions).toEqual([`disputes ${payment.e2eId}`]);
    stage.passSeconds(40 * daySec);
    await lookUpOpenDisputes(dependencies);
    expect(bank.questions).toHaveLength(1);
  });
});

describe('a list', () => {
  test('that answers 401 for an hour is read to the end afterwards, and nothing of it twice', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    await pass(stage, dependencies, 60);
    bank.isAway = true;
    const event = paid(ref, now());
    bank.lists.payments.push({ event, at: now() });
    await pass(stage, dependencies, 3_500, 60);
    const [{ since } = { since: null }] = await stage.dependencies.database.query<{ since: Date | null }>(
      `select min(failing_since) as since from feed where provider = $1`,
      [bank.id],
    );
    expect(now().getTime() - since!.getTime()).toBeGreaterThan(600_000);
    bank.isAway = false;
    await pass(stage, dependencies, 300);
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID' });
    expectBalance(stage, deposit, 9_850);
  });

  test('is read at once, up to the present, where somebody misses money', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    await round(dependencies);
    bank.lists.payments.push({ event: paid(ref, now()), at: new Date(now().getTime() - 1) });
    await dependencies.feeds.readAtOnce('test', new Set([bank.id]));
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID' });
  });
});

describe('a payment', () => {
  test('of exactly its fee goes back, and one centavo more is credited', async () => {
    for (const [amount, credit] of [
      [50, null],
      [51, 1],
    ] as const) {
      const owner = account({ fees: { deposit: { fixedCents: 50, bps: 0 }, payout: { fixedCents: 0, bps: 0 } } });
      const { bank, dependencies } = await pending(stage, 'hint');
      const { deposit } = await stage.create(request(owner), dependencies);
      const event = paid(deposit.id.slice(4), now(), amount);
      bank.receives(event);
      await takeNotification(dependencies, notificationOf([event], bank.id));
      expectBalance(stage, deposit, credit ?? 0);
      expect(await orphansOf(stage, deposit)).toEqual(credit ? [] : [{ cause: 'within_fee', amount }]);
    }
  });

  test('of an account that is paid a day later is pending for 86,400 seconds from the payment on', async () => {
    const { bank, dependencies } = await pending(stage, 'hint');
    const { deposit } = await stage.create(request(account({ retentionDays: 1 })), dependencies);
    const event = paid(deposit.id.slice(4), now());
    bank.receives(event);
    await takeNotification(dependencies, notificationOf([event], bank.id));
    const releaseAt = Math.floor(event.at.getTime() / 1_000) + 86_400;
    const decided = stage.ledger.decided.find((command) => command.id === `credit-deposit:${deposit.id}`);
    expect(decided).toMatchObject({ releaseAt });
  });

  test('in another currency goes back', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const event = { ...paid(ref, now()), money: { currency: 'MXN', amount: 10_000 } } as const;
    bank.receives(event);
    await takeNotification(dependencies, notificationOf([event], bank.id));
    expect(await current(stage, deposit)).toMatchObject({ status: 'PENDING' });
    expect(await orphansOf(stage, deposit)).toEqual([{ cause: 'other_currency', amount: 10_000 }]);
  });

  test('after the charge expired is credited, and a second one on it goes back, from list and notification alike', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    await pass(stage, dependencies, 60);
    stage.passSeconds(3_601);
    await expireDueDeposits(dependencies);
    const [first, second] = [paid(ref, now()), paid(ref, new Date(now().getTime() + 1_000), 7_000)];
    bank.receives(first);
    bank.receives(second);
    bank.lists.payments.push({ event: first, at: first.at }, { event: second, at: second.at });
    await takeNotification(dependencies, notificationOf([first, second], bank.id));
    await pass(stage, dependencies, 4_500, 300);
    await creditReceivedPayments(dependencies);
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID', e2eId: first.e2eId });
    expect(await orphansOf(stage, deposit)).toEqual([{ cause: 'second_payment', amount: 7_000 }]);
    expectBalance(stage, deposit, 9_850);
  });
});
