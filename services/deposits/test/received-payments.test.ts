import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireDueDeposits } from '#src/charge/expire-deposits.ts';
import { creditReceivedPayments } from '#src/payment/credit-payment.ts';
import { handleNotification } from '#src/provider-feed/handle-notification.ts';
import { notificationOf, paid } from './bank.ts';
import { current, expectBalance, itemsOf, orphansOf, pass, pending } from './receiving.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const now = () => stage.dependencies.now();

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
      await handleNotification(dependencies, notificationOf([event], bank.id));
      expectBalance(stage, deposit, credit ?? 0);
      expect(await orphansOf(stage, deposit)).toEqual(credit ? [] : [{ cause: 'within_fee', amount }]);
    }
  });

  test('of an account that is paid a day later is pending for 86,400 seconds from the payment on', async () => {
    const { bank, dependencies } = await pending(stage, 'hint');
    const { deposit } = await stage.create(request(account({ retentionDays: 1 })), dependencies);
    const event = paid(deposit.id.slice(4), now());
    bank.receives(event);
    await handleNotification(dependencies, notificationOf([event], bank.id));
    const releaseAt = Math.floor(event.at.getTime() / 1_000) + 86_400;
    const decided = stage.ledger.decided.find((command) => command.id === `credit-deposit:${deposit.id}`);
    expect(decided).toMatchObject({ releaseAt });
  });

  test('is credited though its payer has a name that no text of the database can have', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const event = paid(ref, now());
    bank.receives(event, { name: 'Zoë\0 🦊\ud83e', document: '123\0', bank: 'Banco\ud800' });
    await handleNotification(dependencies, notificationOf([event], bank.id));
    expect(await current(stage, deposit)).toMatchObject({
      status: 'PAID',
      payerDetails: { name: 'Zoë  🦊\ufffd', bank: 'Banco\ufffd' },
    });
  });

  test('of which another on its charge cannot be recorded is credited all the same', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const payment = paid(ref, now());
    for (const event of [{ ...paid(ref, now()), e2eId: 'E\0' }, payment]) bank.receives(event);
    await handleNotification(dependencies, notificationOf([payment], bank.id));
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID', e2eId: payment.e2eId });
    expect(await itemsOf(stage, bank)).toMatchObject([{ feed: 'notifications', state: 'WAITING' }]);
  });

  test('in another currency goes back', async () => {
    const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
    const event = { ...paid(ref, now()), money: { currency: 'MXN', amount: 10_000 } } as const;
    bank.receives(event);
    await handleNotification(dependencies, notificationOf([event], bank.id));
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
    await handleNotification(dependencies, notificationOf([first, second], bank.id));
    await pass(stage, dependencies, 4_500, 300);
    await creditReceivedPayments(dependencies);
    expect(await current(stage, deposit)).toMatchObject({ status: 'PAID', e2eId: first.e2eId });
    expect(await orphansOf(stage, deposit)).toEqual([{ cause: 'second_payment', amount: 7_000 }]);
    expectBalance(stage, deposit, 9_850);
  });

  test('that is credited to the charge it is listed for waits in no inbox, and one that is listed for another charge does', async () => {
    const { bank, dependencies, ref } = await pending(stage, 'hint');
    const other = (await stage.create(request(account()), dependencies)).deposit;
    const event = paid(ref, now());
    bank.receives(event);
    await handleNotification(dependencies, notificationOf([event], bank.id));
    const elsewhere = { ...event, ref: other.id.slice(4), dedupeKey: 'elsewhere' };
    const unknown = paid(ref, now());
    for (const each of [event, elsewhere, unknown]) bank.lists.payments.push({ event: each, at: now() });
    stage.passSeconds(60);
    await dependencies.feeds.readDue();
    const kept = await dependencies.database.query<{ key: string }>(
      `select key from item_inbox where provider = $1 and feed = 'payments'`,
      [bank.id],
    );
    expect(kept.map(({ key }) => key).toSorted()).toEqual([unknown.dedupeKey, 'elsewhere'].toSorted());
  });
});
