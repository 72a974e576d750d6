import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NotificationGrade, PaymentProvider } from '@gateway/providers';
import { resolvePayout } from '#src/decisions/resolve-payout.ts';
import { listOperatorPayouts } from '#src/payout/read-payouts.ts';
import { confirmPayout } from '#src/settlement/confirm-payout.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resolutionOf, Stage } from './stage.ts';
import { returned, take, underWay } from './under-way.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const grades: readonly NotificationGrade[] = ['hint', 'platform', 'ours'];

describe.each(grades)('what is told with the grade %s', (grade) => {
  test('of a payment settles nothing before the provider answers that it was paid, and then once', async () => {
    const { rail, ref, tell, statusOf, payout, paid } = await underWay(stage, 'pay', grade);
    await tell(paid);
    expect(await statusOf()).toEqual({ state: 'PROCESSING', returned: 0, balance: 4_900 });
    rail.settle(ref);
    for (let time = 0; time < 2; time++) await tell(paid);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect(await stage.eventsOf(payout.id)).toEqual(['processing', 'paid']);
  });

  test('of a failure gives nothing back that the provider does not answer the same of', async () => {
    const { rail, ref, tell, statusOf, failed } = await underWay(stage, 'pay', grade);
    await tell(failed);
    expect(await statusOf()).toEqual({ state: 'PROCESSING', returned: 0, balance: 4_900 });
    rail.settle(ref);
    await tell(failed);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
  });

  test('of a return credits nothing before the provider answers the same, and then what it answers', async () => {
    const { rail, ref, tell, statusOf } = await underWay(stage, 'pay', grade);
    rail.settle(ref);
    await tell(returned('D1', 5_000));
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    rail.giveBack(ref, 1_500, 'D1');
    for (let time = 0; time < 2; time++) await tell(returned('D1', 5_000));
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 1_500, balance: 6_400 });
  });
});

test('a payment that only a notification tells of cannot be recorded: it does not compile', async () => {
  const { live, found, statusOf } = await underWay(stage);
  const told = { e2eId: 'E1', paidAt: stage.dependencies.now() };
  // @ts-expect-error what is told is no answer to our own question
  const recording = async () => confirmPayout(live, await found(), told);
  expect([recording.length, (await statusOf()).state]).toEqual([0, 'PROCESSING']);
});

test('a failure the provider answers gives amount and fee back', async () => {
  const { rail, ref, tell, statusOf, payout, failed } = await underWay(stage, 'fail');
  rail.settle(ref);
  await tell(failed);
  expect(await statusOf()).toEqual({ state: 'FAILED', returned: 0, balance: 10_000 });
  expect(await stage.eventsOf(payout.id)).toEqual(['processing', 'failed']);
});

test.each(['paid', 'failed'] as const)(
  'what is %s before the answer to our call is on record was PROCESSING, and merchants are told so first',
  async (outcome) => {
    const { rail, ref, tell, payout, ...told } = await underWay(stage, outcome === 'paid' ? 'pay' : 'fail');
    await stage.dependencies.database.query(
      `update payout set state = 'SENDING', call_started_at = now(), processing_at = null, version = version + 1
        where id = $1`,
      [payout.id],
    );
    rail.settle(ref);
    await tell(told[outcome]);
    expect(await stage.eventsOf(payout.id)).toEqual(['processing', 'processing', outcome]);
  },
);

describe('a payment after the end', () => {
  test('is debited again when the provider answers it, settled once and said', async () => {
    const { rail, ref, tell, statusOf, payout, paid, failed } = await underWay(stage, 'fail');
    rail.settle(ref);
    await tell(failed);
    await tell(paid);
    expect(await statusOf()).toMatchObject({ state: 'FAILED', balance: 10_000 });
    rail.contradictItself(ref);
    for (let time = 0; time < 2; time++) await tell(paid);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect(stage.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'reverse-payout', 'redebit-payout']);
    expect(await stage.eventsOf(payout.id)).toEqual(['processing', 'failed', 'paid']);
  });

  test('which the balance does not cover is PAID all the same, and what comes in pays it first', async () => {
    const { account, rail, ref, tell, statusOf, paid, failed } = await underWay(stage, 'fail');
    rail.settle(ref);
    await tell(failed);
    stage.ledger.books.fund(account.id, -9_000);
    rail.contradictItself(ref);
    await tell(paid);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 1_000 - 5_100 });
    stage.ledger.books.fund(account.id, 6_000);
    expect((await statusOf()).balance).toBe(1_900);
  });

  test('that cannot be asked about stays open, is asked about again, and operators see it', async () => {
    const { live, tell, rail, ref, found, statusOf, paid, failed, passDays } = await underWay(stage, 'fail');
    rail.settle(ref);
    await tell(failed);
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
    const { rail, ref, tell, statusOf, found, paid, failed, passDays, asked } = await underWay(stage);
    rail.settle(ref);
    await tell(paid);
    rail.contradictItself(ref);
    for (let time = 0; time < 2; time++) await tell(failed);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect((await found()).attentionReason).toBe('contradiction');
    const queue = await listOperatorPayouts(stage.dependencies, { limit: 50, attention: true });
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
    const { rail, ref, tell, live, statusOf, found, payout, paid, failed } = await underWay(stage);
    rail.settle(ref);
    await tell(paid);
    await expect(resolvePayout(live, resolutionOf(payout.id, outcome))).rejects.toMatchObject({
      code: 'INVALID_STATE',
    });
    rail.contradictItself(ref);
    await tell(failed);
    const word = resolutionOf(payout.id, outcome);
    for (let time = 0; time < 2; time++) await resolvePayout(live, word);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: back, balance });
    expect(await found()).toMatchObject({ attentionAt: null, attentionReason: null });
    // What they have credited is not credited again when the provider lists it later.
    rail.giveBack(ref, 5_000, 'D1');
    await tell(returned('D1'));
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 5_000, balance: 9_900 });
    expect((await found()).attentionReason).toBe(outcome === 'paid' ? null : 'return_not_booked');
  });

  test('that the provider does not answer is forgotten', async () => {
    const { rail, ref, tell, statusOf, found, paid, failed } = await underWay(stage);
    rail.settle(ref);
    await tell(paid);
    await tell(failed);
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect(await found()).toMatchObject({ attentionAt: null, unconfirmed: null });
  });
});

test('an answer for another amount moves nothing, and operators see it', async () => {
  const { live, tell, statusOf, found, paid, ref } = await underWay(stage);
  const differs = { status: 'DIFFERS', field: 'amount', told: '999999' } as const;
  const other = answering(live, { getPayout: async () => differs });
  await take(other, JSON.stringify({ ref, dedupeKey: 'p', at: new Date(), raw: {}, ...paid }), 'bank');
  expect(await statusOf()).toEqual({ state: 'PROCESSING', returned: 0, balance: 4_900 });
  expect((await found()).attentionReason).toBe('answer_differs');
  await tell(paid);
  expect(await statusOf()).toMatchObject({ state: 'PROCESSING' });
});

test('a signed notification of one provider about a payout that another one has changes nothing and asks nothing', async () => {
  const { rail, ref, tell, statusOf, paid, asked } = await underWay(stage);
  rail.settle(ref);
  for (const event of [paid, returned('D1')]) await tell(event, 'other');
  expect(await statusOf()).toEqual({ state: 'PROCESSING', returned: 0, balance: 4_900 });
  expect(asked).toEqual([]);
});

describe('a provider that had refused a payout, which another one has now', () => {
  const passedOn = async (id: string) =>
    stage.dependencies.database.query(
      `update payout set refused_by = '["other"]', version = version + 1 where id = $1`,
      [id],
    );

  test('and says that it has paid is asked, and operators are told when it has', async () => {
    const { rail, ref, tell, found, statusOf, payout, paid } = await underWay(stage);
    await passedOn(payout.id);
    await tell(paid, 'other');
    expect(await found()).toMatchObject({ attentionAt: null });
    rail.settle(ref);
    await tell(paid, 'other');
    expect(await statusOf()).toEqual({ state: 'PROCESSING', returned: 0, balance: 4_900 });
    await tell(paid);
    expect(await found()).toMatchObject({ state: 'PAID', attentionReason: 'contradiction' });
  });

  test('and has paid is the one that has it, where the next one has not been called yet', async () => {
    const { rail, ref, tell, found, statusOf, payout, paid } = await underWay(stage);
    await passedOn(payout.id);
    await stage.dependencies.database.query(
      `update payout set state = 'SENDING', call_started_at = null, processing_at = null, version = version + 1
       where id = $1`,
      [payout.id],
    );
    rail.settle(ref);
    await tell(paid, 'other');
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect(await found()).toMatchObject({ provider: 'other', attentionAt: null });
  });

  test('and has paid what is on its way back to the balance is heard again when that has arrived', async () => {
    const { rail, ref, tell, statusOf, payout, paid } = await underWay(stage);
    await passedOn(payout.id);
    rail.settle(ref);
    await stage.dependencies.database.query(
      `update payout set state = 'REVERSING', reversal = 'REJECTED', failure_reason = 'provider_balance',
         failure_message = 'no', call_started_at = null, processing_at = null, version = version + 1 where id = $1`,
      [payout.id],
    );
    await expect(tell(paid, 'other')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await statusOf()).toMatchObject({ state: 'REVERSING' });
  });

  test('is what the balance pays when nobody else has paid', async () => {
    const { rail, ref, tell, found, statusOf, payout, paid, failed } = await underWay(stage, 'fail');
    await passedOn(payout.id);
    rail.settle(ref);
    await tell(failed);
    rail.contradictItself(ref);
    await tell(paid, 'other');
    expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
    expect((await found()).provider).toBe('other');
  });
});

test('what two say of a payout under way is not said of it when it was paid meanwhile: it would credit all of it', async () => {
  const { rail, ref, tell, live, found, statusOf, payout, paid } = await underWay(stage);
  await stage.dependencies.database.query(
    `update payout set attention_at = $2, attention_reason = 'contradiction', version = version + 1 where id = $1`,
    [payout.id, stage.dependencies.now()],
  );
  const { proposal, ...word } = resolutionOf(payout.id, 'failed');
  rail.settle(ref);
  await tell(paid);
  expect(await found()).toMatchObject({ state: 'PAID', attentionReason: 'contradiction' });
  const ofBefore = { ...word, proposal: { ...proposal, status: 'PROCESSING' as const } };
  await expect(resolvePayout(live, ofBefore)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
  await resolvePayout(live, { ...word, proposal: { ...proposal, status: 'PAID' as const } });
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 5_000, balance: 9_900 });
});

test('a payout that was paid while it waits for approval, in a restored database, is PAID once', async () => {
  const { rail, ref, tell, statusOf, payout, paid } = await underWay(stage);
  await stage.dependencies.database.query(
    `update payout set state = 'PENDING', sent_at = null, due_at = null, version = version + 1 where id = $1`,
    [payout.id],
  );
  await tell(paid);
  expect(await statusOf()).toMatchObject({ state: 'PENDING' });
  rail.settle(ref);
  await tell(paid);
  expect(await statusOf()).toEqual({ state: 'PAID', returned: 0, balance: 4_900 });
});

test('what is forged, of no provider, or about no payout of ours moves nothing', async () => {
  const { rail, ref, live, tell, statusOf, paid } = await underWay(stage);
  rail.settle(ref);
  await take(live, 'forged', 'bank');
  await tell(paid, 'stranger');
  await tell({ ...paid, ref: '01k9z3m4v6t8x0a2c4e6g8jk03' });
  await tell({ type: 'probe' });
  expect(await statusOf()).toEqual({ state: 'PROCESSING', returned: 0, balance: 4_900 });
});

function answering(dependencies: StepsDependencies, changes: Partial<PaymentProvider>): StepsDependencies {
  const { test: tests, live } = dependencies.payoutRoutes;
  const changed = live.map((route) => ({ ...route, provider: { ...route.provider, ...changes } }));
  return { ...dependencies, payoutRoutes: { test: tests, live: changed } };
}
