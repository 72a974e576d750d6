import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentProvider } from '@gateway/providers';
import { asked as answered } from '@gateway/providers/testing';
import { resolvePayout } from '#src/decisions/resolve-payout.ts';
import { recheckDue } from '#src/provider-feed/recheck-payouts.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resolutionOf, Stage } from './stage.ts';
import { returned, underWay } from './under-way.ts';

const unavailable = { status: 'UNAVAILABLE', cause: 'ETIMEDOUT' } as const;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

async function paidPayout() {
  const payout = await underWay(stage);
  payout.rail.settle(payout.ref);
  await payout.tell(payout.paid);
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

test('a return 90 days late that is told is credited at once, whatever the age of the payout', async () => {
  const { rail, ref, passDays, statusOf, tell } = await paidPayout();
  await passDays(90);
  rail.giveBack(ref, 5_000, 'D90');
  await tell(returned('D90', 5_000));
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 5_000, balance: 9_900 });
});

test('a payout is asked about seven times in 91 days, and then never again', async () => {
  const { ref, passDays, asked, found } = await paidPayout();
  await passDays(120);
  expect(asked.filter((question) => question === `bank returns ${ref}`)).toHaveLength(7);
  expect((await found()).recheckAt).toBeNull();
});

test('two parts are two events with ids of their own, each credited once, and told again are nothing new', async () => {
  const { rail, ref, tell, statusOf, payout } = await paidPayout();
  rail.giveBack(ref, 2_000, 'D1');
  await tell(returned('D1', 2_000));
  rail.giveBack(ref, 3_000, 'D2');
  for (const id of ['D2', 'D1', 'D2']) await tell(returned(id, 3_000));
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 5_000, balance: 9_900 });
  const said = await stage.returnsSaidOf(payout.id);
  expect(said).toMatchObject([
    { returned: 2_000, return: { amount: 2_000, e2eId: 'D1' } },
    { returned: 5_000, return: { amount: 3_000, e2eId: 'D2' } },
  ]);
  expect(new Set(said.map(({ return: part }) => part.id)).size).toBe(2);
});

test.each([
  ['more than is left', 4_000, 'BRL', 'exceeds_payout'],
  ['another currency', 1_000, 'MXN', 'other_currency'],
] as const)(
  'a part of %s is not credited: the others are, and operators see it',
  async (_, amount, currency, fault) => {
    const { rail, ref, tell, statusOf, found } = await paidPayout();
    rail.giveBack(ref, 2_000, 'D1');
    rail.giveBack(ref, amount, 'D2', currency);
    for (const id of ['D1', 'D2', 'D2']) await tell(returned(id));
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 2_000, balance: 6_900 });
    expect(await found()).toMatchObject({
      ...{ attentionReason: 'return_not_booked', dueAt: null },
      returns: [
        { returnId: 'D1', credited: true },
        { returnId: 'D2', credited: false, notBooked: fault },
      ],
    });
  },
);

test('a return that is told and cannot be confirmed stays open, is asked about with growing distance, and operators see it', async () => {
  const { rail, ref, tell, found, live, statusOf, asked } = await paidPayout();
  await tell(returned('D1'));
  expect(await found()).toMatchObject({ unconfirmed: { returnIds: ['D1'] }, attentionAt: null });
  const times = () => asked.filter((question) => question.endsWith(ref)).length;
  const before = times();
  for (let second = 0; second < 2_000; second += 10) {
    stage.passSeconds(10);
    await recheckDue(live, 5);
  }
  expect(times() - before).toBeGreaterThanOrEqual(5);
  expect(times() - before).toBeLessThanOrEqual(14);
  expect((await found()).attentionReason).toBe('told_unconfirmed');
  rail.giveBack(ref, 1_500, 'D1');
  stage.passSeconds(4_000);
  await recheckDue(live, 5);
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
  expect(await found()).toMatchObject({ unconfirmed: null, attentionAt: null, attentionReason: null });
});

test('a return that is told while the payment is not on record yet settles the payout first, and is credited then', async () => {
  const { rail, ref, tell, statusOf, found, paid, live } = await underWay(stage);
  rail.giveBack(ref, 1_500, 'D1');
  await tell(returned('D1'));
  expect(await found()).toMatchObject({ state: 'PROCESSING', unconfirmed: { returnIds: ['D1'] } });
  rail.settle(ref);
  await tell(paid);
  await recheckDue(live, 5);
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
  const another = await underWay(stage);
  another.rail.settle(another.ref);
  another.rail.giveBack(another.ref, 1_500, 'D1');
  await another.tell(returned('D1'));
  expect(await another.statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
});

test('a return that names the payout by its end-to-end id alone is found, and one of nobody’s is left alone', async () => {
  const { rail, ref, tell, statusOf, found } = await paidPayout();
  const { e2eId } = await found();
  rail.giveBack(ref, 1_500, 'D1');
  await tell({ ...returned('D1'), ref: undefined, e2eId: 'E00000000000000000000000000000000' });
  expect(await statusOf()).toMatchObject({ returned: 0 });
  await tell({ ...returned('D1'), ref: undefined, e2eId });
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
});

test('a payment after the failure that nobody tells of is found by asking', async () => {
  const { rail, ref, tell, failed, passDays, statusOf } = await underWay(stage, 'fail');
  rail.settle(ref);
  await tell(failed);
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
    stage.dependencies.database.query(
      `update payout set refused_by = '["other"]', version = version + 1 where id = $1`,
      [id],
    );
  const failing = answered({ status: 'FAILED', providerRef: 'r', code: 'account_closed', message: 'closed' } as const);

  test('and has paid it all the same is found by asking, and the balance pays again', async () => {
    const { rail, ref, tell, failed, live, payout, statusOf, found } = await underWay(stage, 'fail');
    await hasRefused(payout.id);
    rail.settle(ref);
    await tell(failed);
    expect(await statusOf()).toMatchObject({ state: 'FAILED', balance: 10_000 });
    rail.contradictItself(ref);
    stage.passSeconds(86_500);
    await recheckDue(
      bankAnswers(live, async () => failing),
      100,
    );
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect(await found()).toMatchObject({ provider: 'other', refusedBy: ['bank'] });
  });

  test('and has paid what another one paid is found by asking: operators are told, once', async () => {
    const { live, payout, statusOf, found, passDays } = await paidPayout();
    await hasRefused(payout.id);
    await passDays(1);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect(await found()).toMatchObject({ attentionReason: 'contradiction', alsoPaidBy: ['other'] });
    await resolvePayout(live, resolutionOf(payout.id, 'paid'));
    await passDays(3);
    expect(await found()).toMatchObject({ attentionReason: null, provider: 'bank' });
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
    stage.passSeconds(86_500);
    await recheckDue(dependencies, 100);
    const { rechecks, recheckAt } = await found();
    expect([rechecks, recheckAt!.getTime() - stage.dependencies.now().getTime()]).toEqual([0, 3_600_000]);
    stage.passSeconds(91 * 86_400);
    for (let round = 0; round < 8; round++) {
      await recheckDue(dependencies, 100);
      stage.passSeconds(60 * 86_400);
    }
    expect((await found()).recheckAt).toBeNull();
  });
});

test('no round asks a provider more than it may, what is told comes first, and what waits is asked later', async () => {
  const payouts = [];
  for (let index = 0; index < 4; index++) payouts.push(await paidPayout());
  stage.passSeconds(86_400 + 60);
  const told = payouts[3]!;
  await told.tell(returned('D1'));
  stage.passSeconds(20);
  const ids = payouts.map(({ payout }) => payout.id);
  await stage.dependencies.database.query('update payout set recheck_at = null where not id = any($1)', [ids]);
  told.rail.giveBack(told.ref, 1_500, 'D1');
  const before = told.asked.length;
  const questions: number[] = [];
  for (let round = 0; round < 4; round++) {
    await recheckDue(told.live, 2);
    questions.push(told.asked.length - before);
    expect(await told.statusOf()).toMatchObject({ returned: 1_500 });
  }
  // The one that is told of and three others that are due, two at a time.
  expect(questions).toEqual([2, 4, 4, 4]);
});
