import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentProvider, PayoutOutcome, PayoutState } from '@gateway/providers';
import { asked } from '@gateway/providers/testing';
import { resolvePayout } from '#src/decisions/resolve-payout.ts';
import { askOutcome } from '#src/provider-feed/ask-outcome.ts';
import { resumePayout } from '#src/steps/resume-payout.ts';
import { sendPayout } from '#src/steps/send-payout.ts';
import { request, resolutionOf, Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(async () => harness[Symbol.asyncDispose]());

const certainAfterMs = 120_000;

type Call = 'accepted' | 'lost' | 'lost-but-known' | 'refused' | 'not-sent' | 'dies';
type Lookup = 'PROCESSING' | 'NOT_FOUND' | 'UNAVAILABLE' | 'DIFFERS';
type Answered = { readonly at: number } & (
  { readonly asked: 'call'; readonly answer: Call } | { readonly asked: 'lookup'; readonly answer: Lookup | 'PAID' }
);

function outcomeOf(call: Call, ref: string): PayoutOutcome {
  switch (call) {
    case 'accepted':
      return { kind: 'accepted', status: 'PROCESSING', providerRef: ref };
    case 'lost':
      return { kind: 'unknown', cause: 'ETIMEDOUT' };
    case 'lost-but-known':
      return { kind: 'unknown', cause: 'the provider knows the reference', providerRef: ref };
    case 'refused':
      return { kind: 'refused', code: 'key_not_found', message: 'no such key', raw: {} };
    case 'not-sent':
      return { kind: 'not_sent', reason: 'unreachable', cause: 'ECONNREFUSED' };
    case 'dies':
      throw new Error('the process ends here');
  }
}

function stateOf(lookup: Lookup | 'PAID', ref: string): PayoutState {
  if (lookup === 'PROCESSING') return { status: lookup, providerRef: ref };
  if (lookup === 'DIFFERS') return { status: lookup, field: 'amount', reported: '1' };
  if (lookup === 'UNAVAILABLE') return { status: lookup, cause: 'ETIMEDOUT' };
  if (lookup === 'NOT_FOUND') return { status: lookup };
  return asked({ status: 'PAID', providerRef: ref, e2eId: `E${ref}`, paidAt: harness.dependencies.now() });
}

/** A payout at a provider that answers as the test says: call by call, lookup by lookup. */
async function payoutAt(calls: readonly Call[], lookups: readonly Lookup[] = []) {
  const account = harness.account(10_000);
  const observed: Answered[] = [];
  const left = { calls: [...calls], lookups: [...lookups] as (Lookup | 'PAID')[] };
  const at = () => harness.dependencies.now().getTime();
  const provider: Partial<PaymentProvider> = {
    createPayout: async ({ ref }) => {
      const answer = left.calls.shift() ?? 'lost';
      observed.push({ asked: 'call', answer, at: at() });
      return outcomeOf(answer, ref);
    },
    getPayout: async ({ ref }) => {
      const answer = left.lookups.shift() ?? 'NOT_FOUND';
      observed.push({ asked: 'lookup', answer, at: at() });
      return stateOf(answer, ref);
    },
  };
  const dependencies = harness.with(provider);
  const first = request(account);
  await harness.create(first, dependencies).catch(() => undefined);
  const [row] = await harness.rowsOf(first.externalId);
  const found = async () => (await harness.dependencies.payouts.findById(row!.id))!;
  /** What is due after a while is resumed, in a process that may end with it. */
  const pass = async (...seconds: number[]) => {
    for (const each of seconds) {
      harness.passSeconds(each);
      const payout = await found();
      if (!payout.dueAt || payout.dueAt > harness.dependencies.now()) continue;
      await resumePayout(dependencies, payout).catch(() => undefined);
    }
  };
  const balance = () => harness.ledger.books.balanceOf(account.id);
  const callsMade = () => observed.filter((each) => each.asked === 'call').length;
  return { id: row!.id, dependencies, left, observed, found, pass, balance, callsMade };
}

describe('a payout its provider has accepted and does not find any more', () => {
  test.each([
    ['accepted it', ['accepted'], []],
    ['knew its reference', ['lost-but-known'], []],
    ['found it once', ['lost'], ['PROCESSING']],
    ['answered of it with another amount', ['lost'], ['DIFFERS']],
  ] as const)('after it %s is never sent again, and operators are called', async (_, calls, lookups) => {
    const payout = await payoutAt(calls, lookups);
    await payout.pass(10, 20, 70, 130, 400, 1_000, 1_000);
    expect(payout.callsMade()).toBe(1);
    expect(await payout.found()).toMatchObject({ state: 'PROCESSING', attentionReason: 'accepted_not_found' });
    expect(payout.balance()).toBe(4_900);
    payout.left.lookups.push('PROCESSING', 'PAID');
    await payout.pass(1_000);
    expect(await payout.found()).toMatchObject({ attentionAt: null, attentionReason: null });
    await payout.pass(1_000);
    expect(await payout.found()).toMatchObject({ state: 'PAID' });
    expect(payout.balance()).toBe(4_900);
  });

  test('goes back to the balance when two operators say so, and on no answer', async () => {
    const payout = await payoutAt(['accepted']);
    await payout.pass(10, 20, 70, 130, 400);
    await resolvePayout(payout.dependencies, resolutionOf(payout.id, 'failed'));
    expect(await payout.found()).toMatchObject({ state: 'FAILED', attentionAt: null });
    expect(payout.balance()).toBe(10_000);
  });

  test('is not sent again where a notification made us ask, and the provider had it then', async () => {
    const payout = await payoutAt(['lost']);
    await payout.pass(10);
    payout.left.lookups.push('PROCESSING');
    await askOutcome(payout.dependencies, await payout.found(), true);
    await payout.pass(70, 130, 400, 1_000);
    expect(payout.callsMade()).toBe(1);
    expect(await payout.found()).toMatchObject({ state: 'PROCESSING', attentionReason: 'accepted_not_found' });
  });

  test('is not sent again where its acceptance arrived after others had given the call up', async () => {
    const payout = await payoutAt(['dies', 'accepted']);
    const calling = await payout.found();
    await payout.pass(10);
    expect(await payout.found()).toMatchObject({ state: 'PROCESSING', providerRef: null });
    await sendPayout(payout.dependencies, calling);
    const before = payout.callsMade();
    await payout.pass(20, 70, 130, 400, 1_000);
    expect(payout.callsMade()).toBe(before);
    expect(await payout.found()).toMatchObject({ state: 'PROCESSING', attentionReason: 'accepted_not_found' });
  });
});

describe('a payout that is refused when it is sent again', () => {
  /** Not found twice over two minutes, so it is sent again. */
  const untilSentAgain = [10, 15, 70, 130, 1];

  test('stays debited until its provider was asked for two minutes, and is PAID where the first call shows up', async () => {
    const payout = await payoutAt(['lost', 'refused']);
    await payout.pass(...untilSentAgain);
    expect(payout.callsMade()).toBe(2);
    expect(await payout.found()).toMatchObject({ state: 'PROCESSING', reversal: 'REJECTED' });
    await payout.pass(10);
    payout.left.lookups.push('PAID');
    await payout.pass(130);
    expect(await payout.found()).toMatchObject({ state: 'PAID', reversal: null, failureReason: null });
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'settle-payout']);
  });

  test('is REJECTED with that reason and given back once the first call is found absent for two minutes', async () => {
    const payout = await payoutAt(['lost', 'refused']);
    await payout.pass(...untilSentAgain, 10, 100);
    expect([(await payout.found()).state, payout.balance()]).toEqual(['PROCESSING', 4_900]);
    await payout.pass(20);
    expect(await payout.found()).toMatchObject({ state: 'REJECTED', failureReason: 'key_not_found' });
    expect([payout.balance(), payout.callsMade()]).toEqual([10_000, 2]);
  });

  test('is for operators where the provider has it after all and then not', async () => {
    const payout = await payoutAt(['lost', 'refused']);
    await payout.pass(...untilSentAgain);
    payout.left.lookups.push('PROCESSING');
    await payout.pass(10, 100, 1_000, 1_000);
    expect(await payout.found()).toMatchObject({ state: 'PROCESSING', attentionReason: 'accepted_not_found' });
    expect([payout.balance(), payout.callsMade()]).toEqual([4_900, 2]);
  });
});

test('a payout of which no call is ever answered is sent again under its reference, and operators see it', async () => {
  const payout = await payoutAt([]);
  for (let round = 0; round < 30; round++) await payout.pass(130);
  expect(payout.callsMade()).toBeGreaterThan(2);
  expect(await payout.found()).toMatchObject({ attentionReason: 'outcome_unknown' });
  expect(payout.balance()).toBe(4_900);
});

describe('a payout whose provider cannot be reached when it is sent again', () => {
  const sentAgain = async (calls: readonly Call[]) => {
    const payout = await payoutAt(['lost', ...calls]);
    await payout.pass(10, 15, 70, 130, 1);
    expect(payout.callsMade()).toBe(2);
    return payout;
  };

  test('is in the operators’ queue within half an hour, and ends when two of them say how it ended', async () => {
    const payout = await sentAgain(Array<Call>(100).fill('not-sent'));
    payout.left.lookups.push(...Array<Lookup>(100).fill('UNAVAILABLE'));
    await payout.pass(...Array<number>(36).fill(50));
    expect(await payout.found()).toMatchObject({ state: 'PROCESSING', attentionReason: 'outcome_unknown' });
    expect([payout.callsMade(), payout.balance()]).toEqual([2, 4_900]);
    await resolvePayout(payout.dependencies, resolutionOf(payout.id, 'failed'));
    expect(await payout.found()).toMatchObject({ state: 'FAILED', attentionReason: null });
    await payout.pass(1_000, 1_000);
    expect([payout.callsMade(), payout.balance()]).toEqual([2, 10_000]);
  });

  test('is sent again once that has known nothing of it for another two minutes, and paid once', async () => {
    const payout = await sentAgain(['not-sent', 'accepted']);
    await payout.pass(10, 100);
    expect(payout.callsMade()).toBe(2);
    await payout.pass(130);
    expect(payout.callsMade()).toBe(3);
    payout.left.lookups.push('PAID');
    await payout.pass(10);
    expect(await payout.found()).toMatchObject({ state: 'PAID', failureReason: null });
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'settle-payout']);
  });

  test('is PAID, and not sent again, where the first call shows up', async () => {
    const payout = await sentAgain(['not-sent', 'accepted']);
    payout.left.lookups.push('PAID');
    await payout.pass(10, 130, 130);
    expect(await payout.found()).toMatchObject({ state: 'PAID' });
    expect([payout.callsMade(), payout.balance()]).toEqual([2, 4_900]);
  });
});

test('what two operators say gives nothing back where the payout was sent again after the first of them had looked', async () => {
  const payout = await payoutAt(['lost', 'accepted']);
  const seenAt = harness.dependencies.now();
  await payout.pass(10, 15, 70, 130, 1);
  expect([payout.callsMade(), (await payout.found()).state]).toEqual([2, 'PROCESSING']);
  const word = resolutionOf(payout.id, 'failed', undefined, seenAt.toISOString());
  await expect(resolvePayout(payout.dependencies, word)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  expect(payout.balance()).toBe(4_900);
});

const calls: readonly Call[] = ['accepted', 'lost', 'lost-but-known', 'refused', 'not-sent', 'dies'];
const lookups: readonly Lookup[] = ['PROCESSING', 'NOT_FOUND', 'UNAVAILABLE', 'DIFFERS'];

/** Whether the provider has shown by this answer that it has the payout. */
function shows({ asked: what, answer }: Answered): boolean {
  if (what === 'call') return answer === 'accepted' || answer === 'lost-but-known';
  return answer === 'PROCESSING' || answer === 'DIFFERS';
}

/** Whether the provider found nothing twice, over two minutes, since the last call that may have arrived. */
function isAbsent(observed: readonly Answered[], since: number, firstAt?: number): boolean {
  const absences = observed.slice(since).filter((each) => each.asked === 'lookup' && each.answer === 'NOT_FOUND');
  const first = firstAt ?? absences[0]?.at;
  const last = absences.at(-1)?.at;
  return first !== undefined && last !== undefined && last - first >= certainAfterMs;
}

test('whatever a provider answers in whatever order: what it may have is neither sent again nor given back', async () => {
  const course = fc.tuple(
    fc.array(fc.constantFrom(...calls), { minLength: 1, maxLength: 5 }),
    fc.array(fc.oneof({ arbitrary: fc.constant<Lookup>('NOT_FOUND'), weight: 4 }, fc.constantFrom(...lookups)), {
      maxLength: 10,
    }),
    fc.array(fc.constantFrom(3, 10, 60, 125, 400, 1_000), { minLength: 6, maxLength: 16 }),
  );
  await fc.assert(
    fc.asyncProperty(course, async ([answers, states, distances]) => {
      const payout = await payoutAt(answers, states);
      await payout.pass(...distances);
      const { observed } = payout;
      const sent = observed.flatMap((each, index) =>
        each.asked === 'call' && each.answer !== 'not-sent' ? [{ ...each, index }] : [],
      );
      const made = observed.flatMap((each, index) => (each.asked === 'call' ? [index] : []));
      for (const index of made) {
        const before = observed.slice(0, index);
        expect(before.some(shows)).toBe(false);
        const earlier = sent.filter((each) => each.index < index).at(-1);
        if (earlier) expect(isAbsent(before, earlier.index)).toBe(true);
      }
      const { state } = await payout.found();
      const last = sent.at(-1);
      if (observed.some(shows)) expect(state).toBe('PROCESSING');
      if (state === 'REJECTED') {
        expect(last?.answer).toBe('refused');
        if (sent.length > 1) expect(isAbsent(observed, last!.index, last!.at)).toBe(true);
      }
      expect(payout.balance()).toBe(state === 'REJECTED' ? 10_000 : 4_900);
    }),
    { numRuns: 150 },
  );
}, 120_000);
