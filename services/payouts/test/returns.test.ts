import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentProvider } from '@gateway/providers';
import { asked as answered } from '@gateway/providers/testing';
import { resolvePayout } from '#src/decisions/resolve-payout.ts';
import { recheckDue } from '#src/provider-feed/recheck-payouts.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resolutionOf, Harness } from './harness.ts';
import { returned, underWay } from './under-way.ts';

const unavailable = { status: 'UNAVAILABLE', cause: 'ETIMEDOUT' } as const;

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(async () => harness[Symbol.asyncDispose]());

async function paidPayout() {
  const payout = await underWay(harness);
  payout.rail.settle(payout.ref);
  await payout.report(payout.paid);
  expect(await payout.statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
  return payout;
}

test('a return 89 days after the payment whose notification was lost is credited, without one, within three days', async () => {
  const { rail, ref, passDays, statusOf } = await paidPayout();
  await passDays(89);
  rail.giveBack(ref, 5_000);
  await passDays(3);
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 5_000, balance: 9_900 });
});

test('a return 90 days late that is reported is credited at once, whatever the age of the payout', async () => {
  const { rail, ref, passDays, statusOf, report } = await paidPayout();
  await passDays(90);
  rail.giveBack(ref, 5_000, 'D90');
  await report(returned('D90', 5_000));
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 5_000, balance: 9_900 });
});

test('a payout is asked about seven times in 91 days, and then never again', async () => {
  const { ref, passDays, asked, found } = await paidPayout();
  await passDays(120);
  expect(asked.filter((question) => question === `bank returns ${ref}`)).toHaveLength(7);
  expect((await found()).recheckAt).toBeNull();
});

test('two parts are two events with ids of their own, each credited once, and reported again are nothing new', async () => {
  const { rail, ref, report, statusOf, payout } = await paidPayout();
  rail.giveBack(ref, 2_000, 'D1');
  await report(returned('D1', 2_000));
  rail.giveBack(ref, 3_000, 'D2');
  for (const id of ['D2', 'D1', 'D2']) await report(returned(id, 3_000));
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 5_000, balance: 9_900 });
  const published = await harness.publishedReturnsOf(payout.id);
  expect(published).toMatchObject([
    { returned: 2_000, return: { amount: 2_000, e2eId: 'D1' } },
    { returned: 5_000, return: { amount: 3_000, e2eId: 'D2' } },
  ]);
  expect(new Set(published.map(({ return: part }) => part.id)).size).toBe(2);
});

test('two parts that are found at the same time are credited one by one, and the record counts both', async () => {
  const { rail, ref, report, statusOf, payout } = await paidPayout();
  rail.giveBack(ref, 2_000, 'D1');
  rail.giveBack(ref, 3_000, 'D2');
  await report(returned('D1', 2_000));
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 5_000, balance: 9_900 });
  const published = await harness.publishedReturnsOf(payout.id);
  expect(published.map(({ returned: soFar }) => soFar)).toEqual([2_000, 5_000]);
});

test.each([
  ['more than is left', 4_000, 'BRL', 'exceeds_payout'],
  ['another currency', 1_000, 'MXN', 'other_currency'],
] as const)(
  'a part of %s is not credited: the others are, and operators see it',
  async (_, amount, currency, fault) => {
    const { rail, ref, report, statusOf, found } = await paidPayout();
    rail.giveBack(ref, 2_000, 'D1');
    rail.giveBack(ref, amount, 'D2', currency);
    for (const id of ['D1', 'D2', 'D2']) await report(returned(id));
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 2_000, balance: 6_900 });
    expect(await found()).toMatchObject({
      attentionReason: 'return_not_booked',
      dueAt: null,
      returns: [
        { returnId: 'D1', credited: true },
        { returnId: 'D2', credited: false, notBooked: fault },
      ],
    });
  },
);

test('a return that is reported and cannot be confirmed stays open, is asked about with growing distance, and operators see it', async () => {
  const { rail, ref, report, found, live, statusOf, asked } = await paidPayout();
  await report(returned('D1'));
  expect(await found()).toMatchObject({ unconfirmed: { returnIds: ['D1'] }, attentionAt: null });
  const times = () => asked.filter((question) => question.endsWith(ref)).length;
  const before = times();
  for (let second = 0; second < 2_000; second += 10) {
    harness.passSeconds(10);
    await recheckDue(live, 5);
  }
  expect(times() - before).toBeGreaterThanOrEqual(5);
  expect(times() - before).toBeLessThanOrEqual(14);
  expect((await found()).attentionReason).toBe('told_unconfirmed');
  rail.giveBack(ref, 1_500, 'D1');
  harness.passSeconds(4_000);
  await recheckDue(live, 5);
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
  expect(await found()).toMatchObject({ unconfirmed: null, attentionAt: null, attentionReason: null });
});

test('a return that is reported while the payment is not on record yet settles the payout first, and is credited then', async () => {
  const { rail, ref, report, statusOf, found, paid, live } = await underWay(harness);
  rail.giveBack(ref, 1_500, 'D1');
  await report(returned('D1'));
  expect(await found()).toMatchObject({ state: 'PROCESSING', unconfirmed: { returnIds: ['D1'] } });
  rail.settle(ref);
  await report(paid);
  await recheckDue(live, 5);
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
  const another = await underWay(harness);
  another.rail.settle(another.ref);
  another.rail.giveBack(another.ref, 1_500, 'D1');
  await another.report(returned('D1'));
  expect(await another.statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
});

test('a return that names the payout by its end-to-end id alone is found, and one of no payout is left alone', async () => {
  const { rail, ref, report, statusOf, found } = await paidPayout();
  const { e2eId } = await found();
  rail.giveBack(ref, 1_500, 'D1');
  await report({ ...returned('D1'), ref: undefined, e2eId: 'E00000000000000000000000000000000' });
  expect(await statusOf()).toMatchObject({ returned: 0 });
  await report({ ...returned('D1'), ref: undefined, e2eId });
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
});

test('a payment after the failure that is not reported is found by asking', async () => {
  const { rail, ref, report, failed, passDays, statusOf } = await underWay(harness, 'fail');
  rail.settle(ref);
  await report(failed);
  rail.contradictItself(ref);
  await passDays(7);
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
});

describe('a provider that had refused a payout', () => {
  /** As `bank` answers, whatever `other` says. */
  const bankAnswers = (live: StepsDependencies, getPayout: PaymentProvider['getPayout']): StepsDependencies => {
    const routes = live.payoutRoutes.live.map((route) =>
      route.provider.id === 'bank' ? { ...route, provider: { ...route.provider, getPayout } } : route,
    );
    return { ...live, payoutRoutes: { test: routes, live: routes } };
  };
  const hasRefused = async (id: string) =>
    harness.dependencies.database.query(
      `update payout set refused_by = '["other"]', version = version + 1 where id = $1`,
      [id],
    );
  const failing = answered({ status: 'FAILED', providerRef: 'r', code: 'account_closed', message: 'closed' } as const);

  test('and has paid it all the same is found by asking, and the balance pays again', async () => {
    const { rail, ref, report, failed, live, payout, statusOf, found } = await underWay(harness, 'fail');
    await hasRefused(payout.id);
    rail.settle(ref);
    await report(failed);
    expect(await statusOf()).toMatchObject({ state: 'FAILED', balance: 10_000 });
    rail.contradictItself(ref);
    harness.passSeconds(86_500);
    await recheckDue(
      bankAnswers(live, async () => failing),
      100,
    );
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect(await found()).toMatchObject({ provider: 'other', refusedBy: ['bank'] });
  });

  test('and has paid what another one paid is found by asking: operators are alerted, once', async () => {
    const { live, payout, statusOf, found, passDays } = await paidPayout();
    await hasRefused(payout.id);
    await passDays(1);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect(await found()).toMatchObject({ attentionReason: 'paid_twice', alsoPaidBy: ['other'] });
    await resolvePayout(live, resolutionOf(payout.id, 'paid'));
    await passDays(3);
    expect(await found()).toMatchObject({ attentionReason: null, provider: 'bank' });
  });

  test('and has paid before the next one failed is asked again at once, and the balance pays again', async () => {
    const { rail, ref, report, paid, failed, live, payout, statusOf, found } = await underWay(harness);
    await hasRefused(payout.id);
    rail.settle(ref);
    await report(paid, 'other');
    expect(await found()).toMatchObject({ state: 'PROCESSING', alsoPaidBy: ['other'] });
    const bankFails = bankAnswers(live, async () => failing);
    rail.contradictItself(ref);
    await report(failed);
    expect(await statusOf()).toMatchObject({ state: 'FAILED', balance: 10_000 });
    rail.contradictItself(ref);
    await recheckDue(bankFails, 100);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect(await found()).toMatchObject({ provider: 'other', refusedBy: ['bank'], alsoPaidBy: [] });
  });

  test('and cannot be asked is asked again within the hour, which is no planned question, and no longer than returns last', async () => {
    const { live, payout, found } = await paidPayout();
    await hasRefused(payout.id);
    const away = live.payoutRoutes.live.map((route) =>
      route.provider.id === 'other'
        ? { ...route, provider: { ...route.provider, getPayout: async () => unavailable } }
        : route,
    );
    const dependencies = { ...live, payoutRoutes: { test: away, live: away } };
    harness.passSeconds(86_500);
    await recheckDue(dependencies, 100);
    const { rechecks, recheckAt } = await found();
    expect([rechecks, recheckAt!.getTime() - harness.dependencies.now().getTime()]).toEqual([0, 3_600_000]);
    harness.passSeconds(91 * 86_400);
    for (let round = 0; round < 8; round++) {
      await recheckDue(dependencies, 100);
      harness.passSeconds(60 * 86_400);
    }
    expect((await found()).recheckAt).toBeNull();
  });
});

test('no round asks a provider more than it may, what is reported comes first, and what waits is asked later', async () => {
  const payouts = [];
  for (let index = 0; index < 4; index++) payouts.push(await paidPayout());
  harness.passSeconds(86_400 + 60);
  const reportedPayout = payouts[3]!;
  await reportedPayout.report(returned('D1'));
  harness.passSeconds(20);
  const ids = payouts.map(({ payout }) => payout.id);
  await harness.dependencies.database.query('update payout set recheck_at = null where not id = any($1)', [ids]);
  reportedPayout.rail.giveBack(reportedPayout.ref, 1_500, 'D1');
  const before = reportedPayout.asked.length;
  const questions: number[] = [];
  for (let round = 0; round < 4; round++) {
    await recheckDue(reportedPayout.live, 2);
    questions.push(reportedPayout.asked.length - before);
    expect(await reportedPayout.statusOf()).toMatchObject({ returned: 1_500 });
  }
  // The one that is reported and three others that are due, two at a time.
  expect(questions).toEqual([2, 4, 4, 4]);
});
