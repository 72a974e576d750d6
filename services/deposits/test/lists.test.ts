import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireDueDeposits } from '#src/charge/expire-deposits.ts';
import { handleNotification } from '#src/provider-feed/handle-notification.ts';
import { lookUpOpenDisputes } from '#src/provider-feed/look-up-open-disputes.ts';
import { disputed, notificationOf, paid } from './bank.ts';
import { current, disputesOf, expectBalance, itemsOf, pass, pending, round } from './receiving.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const now = () => stage.dependencies.now();
const daySec = 86_400;

describe('a payment whose notification never came', () => {
  test('is found in the list and credited once, with the amount that the provider answers and not the one listed', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    await pass(stage, dependencies, 60);
    const event = paid(ref, now());
    bank.receives(event);
    bank.lists.payments.push({ event: { ...event, money: { currency: 'BRL', amount: 999_999 } }, at: now() });
    await pass(stage, dependencies, 900, 60);
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID', amount: 10_000, e2eId: event.e2eId });
    expectBalance(stage, deposit, 9_850);
    expect(bank.questions.filter((question) => question.startsWith('charge'))).toHaveLength(1);
  });

  test('and that is listed without the provider having it credits nothing, and is shown to operators', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    await pass(stage, dependencies, 60);
    bank.lists.payments.push({ event: paid(ref, now()), at: now() });
    await pass(stage, dependencies, 900, 60);
    expect(await current(stage, deposit)).toMatchObject({ status: 'PENDING' });
    expectBalance(stage, deposit, 0);
    expect(await itemsOf(stage, bank)).toMatchObject([{ feed: 'payments', state: 'WAITING' }]);
  });

  test.each([
    ['an hour', 3_300, 3_600],
    ['a day', 80_000, 3 * 3_600 + 40_000],
  ])('that its provider lists %s after it settled is credited', async (_what, sinceSec, withinSec) => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    await pass(stage, dependencies, 600, 60);
    const event = paid(ref, now());
    bank.receives(event);
    await pass(stage, dependencies, sinceSec, 300);
    bank.lists.payments.push({ event, at: event.at });
    await pass(stage, dependencies, withinSec, 300);
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID', e2eId: event.e2eId });
  });

  test('that its provider books late, behind what has been read, is credited all the same', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    await pass(stage, dependencies, 300);
    const at = now();
    await pass(stage, dependencies, 90);
    const event = paid(ref, at);
    bank.receives(event);
    bank.lists.payments.push({ event, at });
    await pass(stage, dependencies, 120);
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID' });
  });

  test('that cannot be taken is tried again, and those behind it are taken', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    await pass(stage, dependencies, 60);
    const strange = { ...paid(ref, now()), money: { currency: 'BRL', amount: 1e19 } } as const;
    const other = await stage.create(request(account()), dependencies);
    const event = paid(other.deposit.id.slice(4), now());
    bank.receives(strange);
    bank.receives(event);
    bank.lists.payments.push({ event: strange, at: now() }, { event, at: now() });
    await pass(stage, dependencies, 90);
    expect(await current(stage, other.deposit)).toMatchObject({ status: 'PAID' });
    expect(await itemsOf(stage, bank)).toMatchObject([{ feed: 'payments', state: 'WAITING' }]);
    bank.receipts.delete(ref);
    bank.receives({ ...strange, money: { currency: 'BRL', amount: 10_000 } });
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
    await handleNotification(dependencies, notificationOf([payment], bank.id));
    expectBalance(stage, setting.deposit, 9_850);
    stage.passSeconds(3_600);
    return { ...setting, payment };
  }

  test('is booked at once when a notification hints at it, and found by its own id', async () => {
    const { bank, dependencies, deposit, payment } = await credited();
    const lost = disputed(payment.e2eId, 'dispute.lost', now());
    bank.decides(lost);
    await handleNotification(dependencies, notificationOf([payment, lost], bank.id));
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
      bank.decides(lost);
      bank.lists.returns.push({ event: lost, at: payment.at });
      await pass(stage, dependencies, (days === 1 ? 1 : 33) * daySec, stepSec);
      expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'LOST' }]);
      expectBalance(stage, deposit, 0);
    },
  );
});

describe('disputes', () => {
  test('are learned while payments cannot be read at all', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const payment = paid(ref, now());
    bank.receives(payment);
    await handleNotification(dependencies, notificationOf([payment], bank.id));
    await pass(stage, dependencies, 60);
    bank.instead = (name) => (name === 'payments' ? { kind: 'unreadable', cause: 'not JSON' } : null);
    for (const type of ['dispute.opened', 'dispute.lost'] as const) {
      const event = disputed(payment.e2eId, type, now());
      bank.decides(event);
      bank.lists.disputes.push({ event, at: now() });
      if (type === 'dispute.lost') break;
      await pass(stage, dependencies, 90);
      expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'OPEN' }]);
    }
    await pass(stage, dependencies, 90);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'LOST' }]);
  });

  test('of a list are read around one that cannot be, which is set aside', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const payment = paid(ref, now());
    bank.receives(payment);
    await handleNotification(dependencies, notificationOf([payment], bank.id));
    await pass(stage, dependencies, 60);
    bank.decides(disputed(payment.e2eId, 'dispute.opened', now()));
    bank.lists.disputes.push(
      { event: disputed('E-strange', 'dispute.opened', now()), at: now(), isUnreadable: true },
      { event: disputed(payment.e2eId, 'dispute.opened', now()), at: now() },
    );
    await pass(stage, dependencies, 90);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'OPEN' }]);
    expect(await itemsOf(stage, bank)).toMatchObject([{ feed: 'disputes', state: 'UNREADABLE' }]);
  });

  test('that a list tells are asked about by their own id: what the list says of the amount, or of who lost, moves nothing', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const payment = paid(ref, now());
    bank.receives(payment);
    await handleNotification(dependencies, notificationOf([payment], bank.id));
    await pass(stage, dependencies, 60);
    bank.decides(disputed(payment.e2eId, 'dispute.opened', now(), 4_000));
    bank.lists.disputes.push({ event: disputed(payment.e2eId, 'dispute.lost', now(), 1), at: now() });
    await pass(stage, dependencies, 90);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'OPEN', amount: 4_000 }]);
  });

  test('that are open are asked about every six hours: a decision that no list and no notification tells is carried out', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const payment = paid(ref, now());
    bank.receives(payment);
    const opened = disputed(payment.e2eId, 'dispute.opened', now());
    bank.decides(opened);
    await handleNotification(dependencies, notificationOf([payment, opened], bank.id));
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'OPEN' }]);
    await lookUpOpenDisputes(dependencies);
    stage.passSeconds(6 * daySec);
    await lookUpOpenDisputes(dependencies);
    bank.decides(disputed(payment.e2eId, 'dispute.lost', now()));
    bank.questions.length = 0;
    stage.passSeconds(6 * 3_600 - 60);
    await lookUpOpenDisputes(dependencies);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'OPEN' }]);
    stage.passSeconds(60);
    await lookUpOpenDisputes(dependencies);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'LOST' }]);
    await lookUpOpenDisputes(dependencies);
    expect(bank.questions).toEqual([`disputes ${payment.e2eId}`]);
    stage.passSeconds(100 * daySec);
    await lookUpOpenDisputes(dependencies);
    expect(bank.questions).toHaveLength(1);
  });

  test('that were lost and are overturned two months later are won, in at most a question a day, when nothing tells of it', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const payment = paid(ref, now());
    bank.receives(payment);
    const lost = disputed(payment.e2eId, 'dispute.lost', now());
    bank.decides(lost);
    await handleNotification(dependencies, notificationOf([payment, lost], bank.id));
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'LOST' }]);
    bank.questions.length = 0;
    for (let hour = 0; hour < 60 * 24; hour += 6) {
      stage.passSeconds(6 * 3_600);
      await lookUpOpenDisputes(dependencies);
    }
    expect(bank.questions.length).toBeGreaterThan(50);
    expect(bank.questions.length).toBeLessThanOrEqual(61);
    bank.decides(disputed(payment.e2eId, 'dispute.won', now()));
    stage.passSeconds(daySec);
    await lookUpOpenDisputes(dependencies);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'WON' }]);
    expectBalance(stage, deposit, 9_850);
  });
});

describe('a list', () => {
  test('that answers 401 for an hour is read to the end afterwards, and nothing of it twice', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    await pass(stage, dependencies, 60);
    bank.isAway = true;
    const event = paid(ref, now());
    bank.receives(event);
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
    const event = paid(ref, now());
    bank.receives(event);
    bank.lists.payments.push({ event, at: new Date(now().getTime() - 1) });
    await dependencies.feeds.readAtOnce('test', new Set([bank.id]));
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID' });
  });
});
