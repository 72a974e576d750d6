import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentProvider, PayoutState } from '@gateway/providers';
import { asked } from '@gateway/providers/testing';
import { eventually } from '@gateway/test-kit';
import { askOutcome } from '#src/provider-feed/ask-outcome.ts';
import { withFeeds } from '#src/provider-feed/payout-feeds.ts';
import { askRefuser } from '#src/provider-feed/ask-refusers.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { recordInterruption } from '#src/steps/enter-processing.ts';
import { resumePayout } from '#src/steps/resume-payout.ts';
import { request, Harness } from './harness.ts';
import { empty, lost, twoProviders } from './two-providers.ts';
import { take, underWay } from './under-way.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterEach(async () => harness.stopSweeping());
afterAll(async () => harness[Symbol.asyncDispose]());

/** As if the answer to the call were not on record yet. */
async function stillCalled(payoutId: string): Promise<void> {
  await harness.dependencies.database.query(
    `update payout set state = 'SENDING', call_started_at = now(), processing_at = null, provider_ref = null,
       version = version + 1
      where id = $1`,
    [payoutId],
  );
}

test('what is paid before the answer to our call is on record was PROCESSING, and merchants are told so first', async () => {
  const { rail, ref, report, payout, paid } = await underWay(harness);
  await stillCalled(payout.id);
  rail.settle(ref);
  await report(paid);
  expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'processing', 'paid']);
});

test('what is failed before the answer to our call is on record waits for that, and was PROCESSING too', async () => {
  const { live, rail, ref, report, found, payout, failed } = await underWay(harness, 'fail');
  await stillCalled(payout.id);
  rail.settle(ref);
  await expect(report(failed)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await found()).toMatchObject({ state: 'SENDING' });
  // The process that made the call has died.
  await recordInterruption(live, await found());
  await report(failed);
  expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'processing', 'failed']);
});

/** As `twoProviders`; what the first answers to lookups is up to the test, and what happens while its call is under way. */
function speakingFirst(
  outcomes: Parameters<typeof twoProviders>[1],
  getPayout: () => PayoutState,
  duringCall: (dependencies: StepsDependencies, ref: string) => Promise<unknown> = async () => undefined,
  ofSecond: Parameters<typeof twoProviders>[2] = [],
) {
  const providers = twoProviders(harness, outcomes, ofSecond);
  const [first, second] = providers.dependencies.payoutRoutes.test;
  const speaking: PaymentProvider = {
    ...first!.provider,
    getPayout: async () => getPayout(),
    createPayout: async (payout) => {
      await duringCall(dependencies, payout.ref);
      return await first!.provider.createPayout(payout);
    },
  };
  const routes = [{ ...first!, provider: speaking }, second!];
  const dependencies: StepsDependencies = { ...providers.dependencies, payoutRoutes: { test: routes, live: [] } };
  return { ...providers, dependencies };
}

describe('a payout that the first provider reports as failed for want of our money', () => {
  const failed = (): PayoutState =>
    asked({ status: 'FAILED', providerRef: 'its id', code: 'provider_balance', message: 'none' });
  const rowOf = async (reference: string) => {
    const rows = await harness.dependencies.database.query<{ id: string }>(
      'select id from payout where reference = $1',
      [reference],
    );
    return (await harness.dependencies.payouts.findById(rows[0]!.id))!;
  };

  test('before its call is answered goes to the next one, as after the answer, however often it is reported', async () => {
    const answers: unknown[] = [];
    const report = async (dependencies: StepsDependencies, ref: string) => {
      const payout = await rowOf(ref);
      const twiceAtOnce = [askOutcome(dependencies, payout, true), askOutcome(dependencies, payout, true)];
      answers.push(...(await Promise.all(twiceAtOnce)), await askOutcome(dependencies, await rowOf(ref), true));
    };
    const { dependencies, callsFor, rail } = speakingFirst([empty], failed, report);
    const wanted = request(harness.account(10_000));
    const { payout } = await harness.create(wanted, dependencies);
    expect(answers).toEqual([null, null, null]);
    const found = async () => (await harness.dependencies.payouts.findById(payout.id))!;
    harness.startSweeping(dependencies);
    await eventually(async () => {
      harness.passSeconds(5);
      rail.settle((await found()).reference);
      expect(await found()).toMatchObject({ state: 'PAID', provider: 'second', refusedBy: ['first'] });
    });
    expect(await callsFor(wanted)).toEqual(['first', 'second']);
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'settle-payout']);
  });

  test('while it waits for money at every provider goes on waiting, and is paid when one has it again', async () => {
    const { dependencies, rail } = speakingFirst([empty], failed, undefined, [empty]);
    const { payout } = await harness.create(request(harness.account(10_000)), dependencies);
    const found = async () => (await harness.dependencies.payouts.findById(payout.id))!;
    await resumePayout(dependencies, await found());
    const waiting = await found();
    expect(waiting).toMatchObject({ state: 'SENDING', provider: 'first', attentionReason: 'no_provider' });
    await Promise.all([askOutcome(dependencies, waiting, true), askOutcome(dependencies, waiting, true)]);
    await askOutcome(dependencies, await found(), true);
    expect(await found()).toMatchObject({ state: 'SENDING', attentionReason: 'no_provider' });
    harness.passSeconds(31);
    await resumePayout(dependencies, await found());
    expect(await found()).toMatchObject({ state: 'PROCESSING', provider: 'first' });
    expect([...rail.made.values()]).toEqual([1]);
  });

  test('after a call without an answer is FAILED and given back: it may have had it', async () => {
    const { dependencies, callsFor } = speakingFirst([lost], failed);
    const account = harness.account(10_000);
    const wanted = request(account);
    await expect(harness.create(wanted, dependencies)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
    const { payout } = await harness.create(wanted, dependencies);
    const followed = await askOutcome(dependencies, (await harness.dependencies.payouts.findById(payout.id))!, true);
    await resumePayout(dependencies, followed!);
    expect(await harness.get(payout)).toMatchObject({ status: 'FAILED', failureReason: 'provider_balance' });
    expect([await callsFor(wanted), harness.ledger.books.balanceOf(account.id)]).toEqual([['first'], 10_000]);
  });
});

test.each([
  ['with another amount', { status: 'DIFFERS', field: 'amount', reported: '1' }, 'answer_differs'],
  ['as under way', { status: 'PROCESSING', providerRef: 'its id' }, null],
] as const)(
  'a payout that a provider knows %s after it had refused it is called for at no other',
  async (_, state, attentionReason) => {
    const { dependencies, callsFor } = speakingFirst([empty], () => state);
    const wanted = request(harness.account(10_000));
    const { payout } = await harness.create(wanted, dependencies);
    const found = async () => (await harness.dependencies.payouts.findById(payout.id))!;
    const passedOn = await found();
    expect(passedOn).toMatchObject({ state: 'SENDING', provider: 'second' });
    const both = [askRefuser(dependencies, passedOn, 'first'), askRefuser(dependencies, passedOn, 'first')];
    await Promise.all(both);
    for (let round = 0; round < 3; round++) {
      await resumePayout(dependencies, await found());
      harness.passSeconds(100);
    }
    expect(await found()).toMatchObject({ state: 'PROCESSING', provider: 'first', attentionReason });
    expect(await callsFor(wanted)).toEqual(['first']);
  },
);

test.each([
  ['with another amount', { status: 'DIFFERS', field: 'amount', reported: '1' }],
  ['as under way', { status: 'PROCESSING', providerRef: 'its id' }],
] as const)(
  'a payout that a provider knows %s after it had refused it goes to no third one when the second refuses it too',
  async (_, state) => {
    const { dependencies, callsFor } = speakingFirst([empty], () => state);
    const [first, second] = dependencies.payoutRoutes.test;
    const refusing: PaymentProvider = {
      ...second!.provider,
      getPayout: async () => ({ status: 'NOT_FOUND' }),
      createPayout: async (payout) => {
        await second!.provider.createPayout(payout);
        const { id } = (await harness.dependencies.payouts.findById(`pyt_${payout.ref}`))!;
        await askRefuser(routing, (await harness.dependencies.payouts.findById(id))!, 'first');
        return empty;
      },
    };
    const third = { ...second!, provider: { ...second!.provider, id: 'third' } };
    const routes = [first!, { ...second!, provider: refusing }, third];
    const routing: StepsDependencies = { ...dependencies, payoutRoutes: { test: routes, live: [] } };
    const wanted = request(harness.account(10_000));
    const { payout } = await harness.create(wanted, routing);
    const found = async () => (await harness.dependencies.payouts.findById(payout.id))!;
    for (let round = 0; round < 12; round++) {
      await resumePayout(routing, await found());
      harness.passSeconds(70);
    }
    expect(await callsFor(wanted)).toEqual(['first', 'second']);
    expect(await found()).toMatchObject({ state: 'PROCESSING', provider: 'first' });
  },
);

test('what a provider reports that had refused a payout, and cannot be asked, is asked within minutes once it can, also after the payout has ended', async () => {
  const { rail, ref, report, live, found, payout, paid } = await underWay(harness);
  await harness.dependencies.database.query(
    `update payout set refused_by = '["other"]', version = version + 1 where id = $1`,
    [payout.id],
  );
  rail.settle(ref);
  await report(paid);
  const [bank, other] = live.payoutRoutes.live;
  let isAway = true;
  const leaving: PaymentProvider['getPayout'] = async (...question) =>
    isAway ? { status: 'UNAVAILABLE', cause: 'ETIMEDOUT' } : await other!.provider.getPayout(...question);
  const routes = [bank!, { ...other!, provider: { ...other!.provider, getPayout: leaving } }];
  const leavingOther = withFeeds({ ...live, payoutRoutes: { test: routes, live: routes } }, 1_000);
  await take(
    leavingOther,
    JSON.stringify({ ref, dedupeKey: 'late', at: '2026-03-04T06:00:00.000Z', ...paid }),
    'other',
  );
  expect(await found()).toMatchObject({ state: 'PAID', alsoPaidBy: [] });
  const withoutOther = withFeeds({ ...live, payoutRoutes: { test: [bank!], live: [bank!] } }, 1_000);
  harness.passSeconds(120);
  await withoutOther.feeds.takeDue();
  const kept = `select state, cause from item_inbox where provider = 'other' and key like '%late%'`;
  expect(await harness.dependencies.database.query(kept)).toMatchObject([{ state: 'WAITING' }]);
  isAway = false;
  harness.passSeconds(120);
  await leavingOther.feeds.takeDue();
  expect(await found()).toMatchObject({ state: 'PAID', attentionReason: 'paid_twice', alsoPaidBy: ['other'] });
});
