import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NotificationGrade, PaymentProvider } from '@gateway/providers';
import { resolvePayout } from '#src/decisions/resolve-payout.ts';
import { getOperatorPayout, listOperatorPayouts } from '#src/payout/read-payouts.ts';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { confirmPayout } from '#src/settlement/record-outcome.ts';
import { resumePayout } from '#src/steps/resume-payout.ts';
import { resolutionOf, Harness } from './harness.ts';
import { returned, take, underWay } from './under-way.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(async () => harness[Symbol.asyncDispose]());

const grades: readonly NotificationGrade[] = ['hint', 'platform', 'ours'];

describe.each(grades)('what is told with the grade %s', (grade) => {
  test('of a payment settles nothing before the provider answers that it was paid, and then once', async () => {
    const { rail, ref, report, statusOf, payout, paid } = await underWay(harness, 'pay', grade);
    await report(paid);
    expect(await statusOf()).toEqual({ state: 'PROCESSING', returned: 0, balance: 4_900 });
    rail.settle(ref);
    for (let time = 0; time < 2; time++) await report(paid);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'paid']);
  });

  test('of a failure gives nothing back that the provider does not answer the same of', async () => {
    const { rail, ref, report, statusOf, failed } = await underWay(harness, 'pay', grade);
    await report(failed);
    expect(await statusOf()).toEqual({ state: 'PROCESSING', returned: 0, balance: 4_900 });
    rail.settle(ref);
    await report(failed);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
  });

  test('of a return credits nothing before the provider answers the same, and then what it answers', async () => {
    const { rail, ref, report, statusOf } = await underWay(harness, 'pay', grade);
    rail.settle(ref);
    await report(returned('D1', 5_000));
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    rail.giveBack(ref, 1_500, 'D1');
    for (let time = 0; time < 2; time++) await report(returned('D1', 5_000));
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
  });
});

test('a payment that only a notification reports cannot be recorded: it does not compile', async () => {
  const { live, found, statusOf } = await underWay(harness);
  const reported = { e2eId: 'E1', paidAt: harness.dependencies.now() };
  // @ts-expect-error a report is no answer to our own question
  const recording = async () => confirmPayout(live, await found(), reported);
  expect([recording.length, (await statusOf()).state]).toEqual([0, 'PROCESSING']);
});

test('a failure the provider answers gives amount and fee back', async () => {
  const { rail, ref, report, statusOf, payout, failed } = await underWay(harness, 'fail');
  rail.settle(ref);
  await report(failed);
  expect(await statusOf()).toEqual({ state: 'FAILED', returned: 0, balance: 10_000 });
  expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'failed']);
});

describe('a payment after the end', () => {
  test('is debited again when the provider answers it, settled once and published', async () => {
    const { rail, ref, report, statusOf, payout, paid, failed } = await underWay(harness, 'fail');
    rail.settle(ref);
    await report(failed);
    await report(paid);
    expect(await statusOf()).toMatchObject({ state: 'FAILED', balance: 10_000 });
    rail.contradictItself(ref);
    for (let time = 0; time < 2; time++) await report(paid);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'reverse-payout', 'redebit-payout']);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'failed', 'paid']);
  });

  test('which the balance does not cover is PAID all the same, and what comes in pays it first', async () => {
    const { account, rail, ref, report, statusOf, paid, failed } = await underWay(harness, 'fail');
    rail.settle(ref);
    await report(failed);
    harness.ledger.books.fund(account.id, -9_000);
    rail.contradictItself(ref);
    await report(paid);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 1_000 - 5_100 });
    harness.ledger.books.fund(account.id, 6_000);
    expect((await statusOf()).balance).toBe(1_900);
  });

  test('that cannot be asked about stays open, is asked about again, and operators see it', async () => {
    const { live, report, rail, ref, found, statusOf, paid, failed, passDays } = await underWay(harness, 'fail');
    rail.settle(ref);
    await report(failed);
    const away = answering(live, { getPayout: async () => ({ status: 'UNAVAILABLE', cause: 'ETIMEDOUT' }) });
    await take(away, JSON.stringify({ ref, dedupeKey: 'p', at: new Date(), raw: {}, ...paid }), 'bank');
    expect((await found()).unconfirmed).toMatchObject({ outcome: true });
    rail.contradictItself(ref);
    await passDays(1);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect((await found()).unconfirmed).toBeNull();
  });
});

describe('a failure after the payment', () => {
  test('that the provider answers moves nothing: operators see a contradiction, and returns are asked for', async () => {
    const { rail, ref, report, statusOf, found, paid, failed, passDays, asked } = await underWay(harness);
    rail.settle(ref);
    await report(paid);
    rail.contradictItself(ref);
    for (let time = 0; time < 2; time++) await report(failed);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect((await found()).attentionReason).toBe('contradiction');
    const queue = await listOperatorPayouts(harness.dependencies, { limit: 50, attention: true });
    expect(queue.payouts).toContainEqual(expect.objectContaining({ attentionReason: 'contradiction', reference: ref }));
    rail.giveBack(ref, 5_000);
    await passDays(1);
    expect(asked).toContain(`bank returns ${ref}`);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 5_000, balance: 9_900 });
    expect((await found()).attentionReason).toBe('contradiction');
  });

  test.each([
    ['paid', 0, 4_900],
    ['failed', 5_000, 9_900],
  ] as const)('is settled by two operators, who say %s', async (outcome, back, balance) => {
    const { rail, ref, report, live, statusOf, found, payout, paid, failed } = await underWay(harness);
    rail.settle(ref);
    await report(paid);
    await expect(resolvePayout(live, resolutionOf(payout.id, outcome))).rejects.toMatchObject({
      code: 'INVALID_STATE',
    });
    rail.contradictItself(ref);
    await report(failed);
    const word = resolutionOf(payout.id, outcome);
    for (let time = 0; time < 2; time++) await resolvePayout(live, word);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: back, balance });
    expect(await found()).toMatchObject({ attentionAt: null, attentionReason: null });
    // What they have credited is not credited again when the provider lists it later.
    rail.giveBack(ref, 5_000, 'D1');
    await report(returned('D1'));
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 5_000, balance: 9_900 });
    expect((await found()).attentionReason).toBe(outcome === 'paid' ? null : 'return_not_booked');
  });

  test('that the provider does not answer is forgotten', async () => {
    const { rail, ref, report, statusOf, found, paid, failed } = await underWay(harness);
    rail.settle(ref);
    await report(paid);
    await report(failed);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect(await found()).toMatchObject({ attentionAt: null, unconfirmed: null });
  });
});

test('an answer for another amount moves nothing, and operators see it', async () => {
  const { live, report, statusOf, found, paid, ref } = await underWay(harness);
  const differs = { status: 'DIFFERS', field: 'amount', reported: '999999' } as const;
  const other = answering(live, { getPayout: async () => differs });
  await take(other, JSON.stringify({ ref, dedupeKey: 'p', at: new Date(), raw: {}, ...paid }), 'bank');
  expect(await statusOf()).toEqual({ state: 'PROCESSING', returned: 0, balance: 4_900 });
  expect((await found()).attentionReason).toBe('answer_differs');
  await report(paid);
  expect(await statusOf()).toMatchObject({ state: 'PROCESSING' });
});

test('a payout that a hostile sender reports is asked about ten times in a minute, and no report is lost', async () => {
  const { rail, ref, report, live, asked, statusOf, paid } = await underWay(harness, 'pay', 'hint');
  for (let time = 0; time < 60; time++) await report({ ...paid, dedupeKey: `made up ${time}` });
  while (await live.feeds.takeDue());
  expect(asked.filter((question) => question === `bank outcome ${ref}`)).toHaveLength(10);
  const kept = await harness.dependencies.database.query<{ key: string; state: string }>(
    `select key, state from item_inbox where feed = 'notifications' and raw like '%' || $1 || '%'`,
    [ref],
  );
  expect(kept.filter(({ state }) => state === 'WAITING')).toHaveLength(50);
  rail.settle(ref);
  harness.passSeconds(60);
  await live.feeds.takeDue();
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
});

test('a signed notification of one provider about a payout that another one has changes nothing and asks nothing', async () => {
  const { rail, ref, report, statusOf, paid, asked } = await underWay(harness);
  rail.settle(ref);
  for (const event of [paid, returned('D1')]) await report(event, 'other');
  expect(await statusOf()).toEqual({ state: 'PROCESSING', returned: 0, balance: 4_900 });
  expect(asked).toEqual([]);
});

describe('a provider that had refused a payout, which another one has now', () => {
  const passedOn = async (id: string) =>
    harness.dependencies.database.query(
      `update payout set refused_by = '["other"]', version = version + 1 where id = $1`,
      [id],
    );

  const notCalledYet = async (id: string) =>
    harness.dependencies.database.query(
      `update payout set refused_by = '["other"]', state = 'SENDING', provider_ref = null, call_started_at = null,
         processing_at = null, version = version + 1 where id = $1`,
      [id],
    );

  test('and reports that it has paid is asked, and operators are alerted when it has', async () => {
    const { rail, ref, report, live, found, statusOf, payout, paid } = await underWay(harness);
    await passedOn(payout.id);
    await report(paid, 'other');
    expect(await found()).toMatchObject({ attentionAt: null });
    rail.settle(ref);
    await report(paid, 'other');
    expect(await statusOf()).toEqual({ state: 'PROCESSING', returned: 0, balance: 4_900 });
    await report(paid);
    expect(await found()).toMatchObject({ state: 'PAID', attentionReason: 'paid_twice' });
    const shown = await getOperatorPayout(live, { id: payout.id });
    expect(shown.payout).toMatchObject({ provider: 'bank', alsoPaidBy: ['other'] });
  });

  test('and has paid is the one that has it, where the next one has not been called yet', async () => {
    const { rail, ref, report, found, statusOf, payout, paid } = await underWay(harness);
    await notCalledYet(payout.id);
    rail.settle(ref);
    await report(paid, 'other');
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect(await found()).toMatchObject({ provider: 'other', attentionAt: null });
  });

  test.each(['other', 'bank'])('and has it, as %s tells, stops the call of the next one', async (speaker) => {
    const { rail, ref, report, live, found, statusOf, payout, paid } = await underWay(harness);
    await notCalledYet(payout.id);
    await report(paid, speaker);
    expect(await found()).toMatchObject({ provider: speaker, providerRef: ref });
    await resumePayout(live, await found());
    expect(await found()).toMatchObject({ state: 'PROCESSING', provider: speaker });
    rail.settle(ref);
    await report(paid, speaker);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect(rail.made.get(ref)).toBe(1);
  });

  test('and has paid what is on its way back to the balance is heard again when that has arrived', async () => {
    const { rail, ref, report, statusOf, payout, paid } = await underWay(harness);
    await passedOn(payout.id);
    rail.settle(ref);
    await harness.dependencies.database.query(
      `update payout set state = 'REVERSING', reversal = 'REJECTED', failure_reason = 'provider_balance',
         call_started_at = null, processing_at = null, version = version + 1 where id = $1`,
      [payout.id],
    );
    await expect(report(paid, 'other')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await statusOf()).toMatchObject({ state: 'REVERSING' });
  });

  test('is what the balance pays when no other provider has paid', async () => {
    const { rail, ref, report, found, statusOf, payout, paid, failed } = await underWay(harness, 'fail');
    await passedOn(payout.id);
    rail.settle(ref);
    await report(failed);
    rail.contradictItself(ref);
    await report(paid, 'other');
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect((await found()).provider).toBe('other');
  });
});

test('what two operators decide of a payout under way is not applied when it was paid in the meantime: it would credit all of it', async () => {
  const { rail, ref, report, live, found, statusOf, payout, paid } = await underWay(harness);
  await harness.dependencies.database.query(
    `update payout set attention_at = $2, attention_reason = 'contradiction', version = version + 1 where id = $1`,
    [payout.id, harness.dependencies.now()],
  );
  const { proposal, ...word } = resolutionOf(payout.id, 'failed');
  rail.settle(ref);
  await report(paid);
  expect(await found()).toMatchObject({ state: 'PAID', attentionReason: 'contradiction' });
  const ofBefore = { ...word, proposal: { ...proposal, status: 'PROCESSING' as const } };
  await expect(resolvePayout(live, ofBefore)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
  await resolvePayout(live, { ...word, proposal: { ...proposal, status: 'PAID' as const } });
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 5_000, balance: 9_900 });
});

test('a payout that was paid while it waits for approval, in a restored database, is PAID once', async () => {
  const { rail, ref, report, statusOf, payout, paid } = await underWay(harness);
  await harness.dependencies.database.query(
    `update payout set state = 'PENDING', sent_at = null, due_at = null, version = version + 1 where id = $1`,
    [payout.id],
  );
  await report(paid);
  expect(await statusOf()).toMatchObject({ state: 'PENDING' });
  rail.settle(ref);
  await report(paid);
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
});

test('what is forged, of no provider, or about no payout of ours moves nothing', async () => {
  const { rail, ref, live, report, statusOf, paid } = await underWay(harness);
  rail.settle(ref);
  await take(live, 'forged', 'bank');
  await report(paid, 'stranger');
  await report({ ...paid, ref: '01k9z3m4v6t8x0a2c4e6g8jk03' });
  await report({ type: 'probe' });
  expect(await statusOf()).toEqual({ state: 'PROCESSING', returned: 0, balance: 4_900 });
});

function answering(
  dependencies: ProviderFeedDependencies,
  changes: Partial<PaymentProvider>,
): ProviderFeedDependencies {
  const { test: tests, live } = dependencies.payoutRoutes;
  const changed = live.map((route) => ({ ...route, provider: { ...route.provider, ...changes } }));
  return { ...dependencies, payoutRoutes: { test: tests, live: changed } };
}
