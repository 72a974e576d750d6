import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NotificationGrade, ProviderEvent } from '@gateway/providers';
import { withFeeds } from '#src/provider-feed/deposit-feeds.ts';
import { handleNotification } from '#src/provider-feed/handle-notification.ts';
import { countedOf, disputed, notificationOf, paid } from './bank.ts';
import { current, disputesOf, expectBalance, itemsOf, orphansOf, pass, pending, round } from './receiving.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const now = () => stage.dependencies.now();

/** A deposit that was paid, at a provider of its own. */
async function credited(grade: NotificationGrade) {
  const setting = await pending(stage, grade);
  const { bank, dependencies, ref } = setting;
  const payment = paid(ref, now());
  bank.receives(payment);
  await handleNotification(dependencies, notificationOf([payment], bank.id));
  return { ...setting, payment };
}

describe('a payment that a notification tells', () => {
  test.each(['hint', 'platform', 'ours'] as const)(
    'with grade %s is credited as the provider answers, and not before',
    async (grade) => {
      const { bank, dependencies, deposit, ref } = await pending(stage, grade);
      const event = paid(ref, now());
      const message = notificationOf([{ ...event, money: { currency: 'BRL', amount: 999_999 } }], bank.id);
      await handleNotification(dependencies, message);
      expect(await current(stage, deposit)).toMatchObject({ status: 'PENDING' });
      expect(await itemsOf(stage, bank)).toMatchObject([{ feed: 'notifications', state: 'WAITING' }]);
      bank.receives(event);
      await handleNotification(dependencies, message);
      expect(await current(stage, deposit)).toMatchObject({ status: 'PAID', amount: 10_000, e2eId: event.e2eId });
      expectBalance(stage, deposit, 9_850);
    },
  );

  test('and the provider confirms only later is credited then, without being told again', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const event = paid(ref, now());
    await handleNotification(dependencies, notificationOf([event], bank.id));
    bank.receives(event);
    stage.passSeconds(60);
    await dependencies.feeds.takeDue();
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID' });
    expect(await itemsOf(stage, bank)).toEqual([]);
  });

  test('counts for one deposit, also where the provider answers the same of another one', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const event = paid(ref, now());
    bank.receives(event);
    await handleNotification(dependencies, notificationOf([event], bank.id));
    for (const before of ['nothing', 'a payment of its own'] as const) {
      const other = (await stage.create(request(account()), dependencies)).deposit;
      const own = paid(other.id.slice(4), now());
      if (before !== 'nothing') {
        bank.receives(own);
        await handleNotification(dependencies, notificationOf([own], bank.id));
      }
      const again = { ...event, ref: own.ref, dedupeKey: `again ${own.ref}` };
      bank.receives(again);
      await handleNotification(dependencies, notificationOf([again], bank.id));
      expectBalance(stage, other, before === 'nothing' ? 0 : 9_850);
      expect(await orphansOf(stage, other)).toEqual([]);
    }
    expectBalance(stage, deposit, 9_850);
    expect(await orphansOf(stage, deposit)).toEqual([]);
  });

  test('of nobody that is on its way back is credited to no deposit', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const first = paid(ref, now());
    const second = paid(ref, now());
    for (const event of [first, second]) {
      bank.receives(event);
      await handleNotification(dependencies, notificationOf([event], bank.id));
    }
    expect(await orphansOf(stage, deposit)).toMatchObject([{ cause: 'second_payment' }]);
    const other = (await stage.create(request(account()), dependencies)).deposit;
    const again = { ...second, ref: other.id.slice(4), dedupeKey: `again ${other.id}` };
    bank.receives(again);
    await handleNotification(dependencies, notificationOf([again], bank.id));
    expect(await current(stage, other)).toMatchObject({ status: 'PENDING' });
    expectBalance(stage, other, 0);
  });

  test.each(['hint', 'platform'] as const)(
    'with grade %s that a hostile sender makes up has its charge asked about ten times in a minute, and none is lost',
    async (grade) => {
      const { bank, dependencies, deposit, ref } = await pending(stage, grade);
      const madeUp = Array.from({ length: 60 }, () => paid(ref, now()));
      for (const event of madeUp) await handleNotification(dependencies, notificationOf([event], bank.id));
      while (await dependencies.feeds.takeDue());
      expect(bank.questions.filter((question) => question === `charge ${ref}`)).toHaveLength(10);
      expect(await itemsOf(stage, bank)).toHaveLength(60);
      const event = madeUp.at(-1)!;
      bank.receives(event);
      bank.lists.payments.push({ event, at: now() });
      await pass(stage, dependencies, 60);
      expect(await current(stage, deposit)).toMatchObject({ status: 'PAID', e2eId: event.e2eId });
    },
  );

  test('is credited once however often it is told to two replicas at the same moment', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'ours');
    const event = paid(ref, now());
    bank.receives(event);
    const replicas = [dependencies, stage.onTheWire(bank.wired('ours'))];
    const messages = Array.from({ length: 50 }, () => notificationOf([event], bank.id));
    await Promise.all(messages.map((message, index) => handleNotification(replicas[index % 2]!, message)));
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID', e2eId: event.e2eId });
    expectBalance(stage, deposit, 9_850);
    expect(await orphansOf(stage, deposit)).toEqual([]);
  });

  test('is taken although a wrong body came first under the key that could be foreseen', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'platform');
    const event = paid(ref, now());
    const { deposit: other } = await stage.create(request(account()), dependencies);
    const wrong = { ...event, ref: other.id.slice(4) };
    await handleNotification(dependencies, notificationOf([wrong], bank.id));
    await handleNotification(dependencies, notificationOf([event], bank.id));
    bank.receives(event);
    await pass(stage, dependencies, 60);
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID', e2eId: event.e2eId });
    expectBalance(stage, other, 0);
  });

  test('while the provider cannot be asked waits, holds up nothing, and is taken afterwards', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const event = paid(ref, now());
    bank.receives(event);
    bank.isAway = true;
    await handleNotification(dependencies, notificationOf([event], bank.id));
    await pass(stage, dependencies, 1_800, 60);
    expect(await current(stage, deposit)).toMatchObject({ status: 'PENDING' });
    bank.isAway = false;
    await pass(stage, dependencies, 900, 60);
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID' });
  });

  test('of a charge that is not ours, of another provider, or that is not authentic changes nothing and asks nothing', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'ours');
    await handleNotification(dependencies, notificationOf([paid('somebodyelses', now())], bank.id));
    await handleNotification(dependencies, notificationOf([paid(ref, now())], 'unheard-of'));
    const forged = stage.onTheWire({
      ...bank.wired('ours'),
      verifyAndParseNotification: async () => ({ ok: false, reason: 'signature' }),
    });
    await handleNotification(forged, notificationOf([paid(ref, now())], bank.id));
    expect(await current(stage, deposit)).toMatchObject({ status: 'PENDING' });
    expect(bank.questions).toEqual([]);
    expect(await itemsOf(stage, bank)).toEqual([]);
  });

  test('is read without its proof where the door has verified a secret, and verified again where it was signed', async () => {
    const proven: (boolean | undefined)[] = [];
    const { bank } = await pending(stage, 'hint');
    const wired = stage.onTheWire({
      ...bank.wired('hint'),
      verifyAndParseNotification: async ({ isProven }) => (
        proven.push(isProven),
        { ok: true, grade: 'hint', events: [] }
      ),
    });
    for (const verified of ['hint', 'platform', 'ours', undefined] as const) {
      const { data } = notificationOf([], bank.id);
      await handleNotification(wired, { data: { ...data, ...(verified ? { verified } : {}) } });
    }
    expect(proven).toEqual([true, false, false, false]);
  });
});

describe('what the platform signs for all its customers, or nobody signs', () => {
  test.each(['hint', 'platform'] as const)(
    'with grade %s neither credits, nor blocks, nor takes back',
    async (grade) => {
      const { bank, dependencies, deposit, ref, payment } = await credited(grade);
      expectBalance(stage, deposit, 9_850);
      const forged: ProviderEvent[] = [
        paid(ref, now(), 500_000),
        disputed(payment.e2eId, 'dispute.opened', now()),
        disputed(payment.e2eId, 'dispute.lost', now()),
        { type: 'charge.canceled', dedupeKey: 'canceled', at: now(), raw: null, ref },
        { type: 'refund.done', dedupeKey: 'refund', at: now(), raw: null, ref: 'unknown', returnId: 'D1' },
      ];
      await handleNotification(dependencies, notificationOf(forged, bank.id));
      expect(await countedOf(bank, grade)).toBe(forged.length + 1);
      await pass(stage, dependencies, 600, 60);
      expect(await current(stage, deposit)).toMatchObject({ status: 'PAID', amount: 10_000 });
      expectBalance(stage, deposit, 9_850);
      expect(await disputesOf(stage, deposit)).toEqual([]);
      expect(await orphansOf(stage, deposit)).toEqual([]);
      // In sight, with what the provider says instead.
      expect(await itemsOf(stage, bank)).toHaveLength(3);
    },
  );

  test('a decision that is hinted at is taken as the provider answers, whatever the age of the payment', async () => {
    const { bank, dependencies, deposit, payment } = await credited('hint');
    stage.passSeconds(80 * 86_400);
    bank.decides(disputed(payment.e2eId, 'dispute.lost', now()));
    await handleNotification(
      dependencies,
      notificationOf([disputed(payment.e2eId, 'dispute.lost', now(), 1)], bank.id),
    );
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'LOST', amount: 10_000 }]);
    expectBalance(stage, deposit, 0);
  });
});

describe('what is signed for us alone', () => {
  test('opens a dispute without a question, and decides none', async () => {
    const { bank, dependencies, deposit, payment } = await credited('ours');
    await stage.give(deposit.accountId, 1_000);
    const opened = disputed(payment.e2eId, 'dispute.opened', now(), 4_000);
    await handleNotification(dependencies, notificationOf([opened], bank.id));
    expectBalance(stage, deposit, 6_850, 4_000);
    expect(bank.questions.filter((question) => question.startsWith('disputes'))).toEqual([]);
    const lost = disputed(payment.e2eId, 'dispute.lost', new Date(now().getTime() + 1_000), 4_000);
    await handleNotification(dependencies, notificationOf([lost], bank.id));
    expectBalance(stage, deposit, 6_850, 4_000);
    bank.decides(lost);
    await pass(stage, dependencies, 60);
    expectBalance(stage, deposit, 6_850, 0);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'LOST', amount: 4_000 }]);
  });

  test('of a dispute without an amount blocks what was paid', async () => {
    const { bank, dependencies, deposit, payment } = await credited('ours');
    const opened = disputed(payment.e2eId, 'dispute.opened', now(), null);
    await handleNotification(dependencies, notificationOf([opened], bank.id));
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'OPEN', amount: 10_000 }]);
  });
});

describe('an event that cannot be taken yet', () => {
  test('leaves the others of its notification taken, and is taken when what it is about is known', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'ours');
    const payment = paid(ref, now());
    const early = disputed(payment.e2eId, 'dispute.opened', now(), 4_000);
    bank.decides(early);
    const other = paid(ref, now());
    await handleNotification(dependencies, notificationOf([early, other], bank.id));
    bank.receives(payment);
    await handleNotification(dependencies, notificationOf([payment], bank.id));
    await pass(stage, dependencies, 120);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'OPEN' }]);
  });

  test('because the ledger was away for half an hour is taken afterwards', async () => {
    const { bank, dependencies, deposit, payment } = await credited('ours');
    const askLedger = async () => Promise.reject(new Error('the ledger is away'));
    const asking = withFeeds({ ...stage.onTheWire(bank.wired('ours')), askLedger });
    bank.decides(disputed(payment.e2eId, 'dispute.lost', now(), 3_000));
    await handleNotification(asking, notificationOf([disputed(payment.e2eId, 'dispute.lost', now())], bank.id));
    await pass(stage, asking, 1_800, 60);
    expect(await itemsOf(stage, bank)).toMatchObject([{ state: 'WAITING' }]);
    expectBalance(stage, deposit, 9_850);
    await pass(stage, dependencies, 900, 60);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'LOST' }]);
    expect(await itemsOf(stage, bank)).toEqual([]);
    expectBalance(stage, deposit, 6_850);
  });

  test('since it is about a payment of others is given up after ten minutes, and found when the payment is known after all', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const payment = paid(ref, now());
    bank.decides(disputed(payment.e2eId, 'dispute.lost', now()));
    await handleNotification(dependencies, notificationOf([disputed(payment.e2eId, 'dispute.lost', now())], bank.id));
    await pass(stage, dependencies, 660, 60);
    expect(await itemsOf(stage, bank)).toMatchObject([{ state: 'FOREIGN' }]);
    bank.receives(payment);
    await handleNotification(dependencies, notificationOf([payment], bank.id));
    await pass(stage, dependencies, 3_600, 300);
    expect(await disputesOf(stage, deposit)).toMatchObject([{ state: 'LOST' }]);
  });
});

test('any order and repetition of what a provider tells ends in the same balances', async () => {
  const order = fc.array(fc.nat({ max: 3 }), { minLength: 0, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(order, fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), async (repeats, each) => {
      const { bank, dependencies, deposit, ref } = await pending(stage, 'ours');
      await stage.give(deposit.accountId, 1_000_000);
      const payment = paid(ref, now());
      const { e2eId } = payment;
      const later = (seconds: number) => new Date(payment.at.getTime() + seconds * 1_000);
      const lost = disputed(e2eId, 'dispute.lost', later(3), 4_000);
      bank.receives(payment);
      bank.decides(lost);
      const events: ProviderEvent[] = [
        payment,
        disputed(e2eId, 'dispute.opened', later(1), 4_000),
        disputed(e2eId, 'dispute.review', later(2), 4_000),
        lost,
      ];
      for (const index of [...repeats, ...each]) {
        await handleNotification(dependencies, notificationOf([events[index]!], bank.id));
      }
      for (let minute = 0; minute < 3; minute += 1) {
        stage.passSeconds(60);
        while (await dependencies.feeds.takeDue());
      }
      expectBalance(stage, deposit, 1_005_850);
      expect(await current(stage, deposit)).toMatchObject({ status: 'PAID', refunded: 4_000, e2eId });
      expect(await orphansOf(stage, deposit)).toEqual([]);
    }),
    { numRuns: 25 },
  );
  await round(stage.dependencies);
});
