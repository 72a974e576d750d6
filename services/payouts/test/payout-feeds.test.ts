import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FeedRow } from '@gateway/contracts/providers';
import type { Feed } from '@gateway/providers';
import { graded } from '@gateway/providers/testing';
import { followReturnLines } from '#src/provider-feed/follow-return-lines.ts';
import { withFeeds } from '#src/provider-feed/payout-feeds.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { Harness } from './harness.ts';
import { underWay } from './under-way.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(async () => harness[Symbol.asyncDispose]());

type Listed = FeedRow & { readonly at: Date };

/** A provider's list of what came back, by payout; an item without one is unreadable. */
function listOf(items: readonly Listed[]): Feed {
  return {
    name: 'payouts',
    windowBy: 'change',
    rereadAfterHours: [],
    readPage: async ({ from, to }) => ({
      kind: 'page',
      next: null,
      rows: items.filter(({ at }) => at >= from && at < to),
    }),
    read: ({ key, raw }) => {
      const { ref } = raw as { ref?: string };
      if (ref === undefined) return { kind: 'unreadable', shape: 'no reference' };
      const money = { currency: 'BRL', amount: 1 } as const;
      const facts = { ref, money, returnId: key, dedupeKey: key, at: new Date(), raw };
      return { kind: 'pointer', events: [graded('hint', { type: 'payout.returned', ...facts })] };
    },
  };
}

function listing({ payoutRoutes, ...rest }: StepsDependencies, feed: Feed): StepsDependencies {
  const live = payoutRoutes.live.map((route) =>
    route.provider.id === 'bank' ? { ...route, provider: { ...route.provider, feeds: [feed] } } : route,
  );
  return { ...rest, payoutRoutes: { test: payoutRoutes.test, live } };
}

test('a return that only a list reports is asked for and credited once; what cannot be read and what is not ours holds it up in nothing', async () => {
  const { rail, ref, report, paid, live, statusOf } = await underWay(harness);
  rail.settle(ref);
  await report(paid);
  rail.giveBack(ref, 1_500, 'D1');
  // Of the day before, which a first reading begins with.
  const at = new Date(harness.dependencies.now().getTime() - 20 * 3_600_000);
  const foreign = '01k9z3m4v6t8x0a2c4e6g8jk03';
  const items = [
    { key: 'unreadable', raw: {}, at },
    { key: 'foreign', raw: { ref: foreign }, at },
    { key: 'D1', raw: { ref }, at },
  ];
  const { feeds } = withFeeds(listing(live, listOf(items)), 1_000);
  for (let round = 0; round < 30; round++) {
    await feeds.readDue();
    await feeds.takeDue();
    harness.passSeconds(5);
  }
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
  const inbox = await harness.dependencies.database.query('select key, state from item_inbox order by key');
  expect(inbox).toEqual([
    { key: 'D1', state: 'TAKEN' },
    { key: 'foreign', state: 'WAITING' },
    { key: 'unreadable', state: 'UNREADABLE' },
  ]);
});

test('a return that only a line of a statement reports is asked for and credited once, and a line of no payout moves nothing', async () => {
  const { rail, ref, report, paid, live, statusOf, found, payout } = await underWay(harness);
  rail.settle(ref);
  await report(paid);
  rail.giveBack(ref, 1_500, 'D7');
  const { e2eId = null } = await found();
  const bookedAt = harness.dependencies.now().toISOString();
  const line = {
    provider: 'bank',
    currency: 'BRL',
    amount: 999_999,
    bookedAt,
    returnId: 'D7',
    e2eId,
    ref: null,
  } as const;
  const lines = [line, { ...line, returnId: 'D8', e2eId: 'E-of-others' }, { ...line, provider: 'unheard-of' }];
  const { recheckAt } = await found();
  for (let time = 0; time < 3; time += 1) {
    await followReturnLines(live, { lines });
    while (await live.feeds.takeDue());
    harness.passSeconds(60);
  }
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
  expect(await harness.publishedReturnsOf(payout.id)).toHaveLength(1);
  expect(await found()).toMatchObject({ unconfirmed: null, recheckAt });
});
