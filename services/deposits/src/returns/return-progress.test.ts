import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dueAgain,
  nextStep,
  weighAnswer,
  type ReturnAnswer,
  type ReturnProgress,
} from '#src/returns/return-progress.ts';

const start = Date.parse('2026-03-04T05:06:07.000Z');
const minuteMs = 60_000;
const fresh: ReturnProgress = { notFoundCount: 0, attempts: 0 };
const refusal: ReturnAnswer = { kind: 'refused', code: 'provider_balance', message: 'a return is in process' };
const unknown: ReturnAnswer = { kind: 'unknown', cause: 'timeout' };

function after(seconds: number, consistentLookup = true) {
  return { now: new Date(start + seconds * 1_000), consistentLookup };
}

describe('the refusal of a call', () => {
  test('is final where no call before it can have been carried out', () => {
    expect(weighAnswer(fresh, refusal, after(0)).end).toBe('failed');
  });

  test('ends nothing that the provider was shown to have while the call was under way', () => {
    const said: ReturnAnswer = { kind: 'processing', providerRef: 'P1' };
    const taken = { ...fresh, ...weighAnswer({ ...fresh, callStartedAt: new Date(start) }, said, after(1)).changes };
    expect(weighAnswer(taken, refusal, after(2))).toEqual({ end: null, changes: {} });
  });

  test('after an unknown outcome ends nothing before the return was denied twice, two minutes apart', () => {
    const answer = fc.oneof(
      fc.constant<ReturnAnswer>({ kind: 'not_found' }),
      fc.constant(refusal),
      fc.constant(unknown),
      fc.constant<ReturnAnswer>({ kind: 'not_sent', cause: 'circuit open' }),
      fc.constant<ReturnAnswer>({ kind: 'unavailable', cause: 'timeout' }),
    );
    const step = fc.record({ answer, waitSec: fc.nat({ max: 150 }), consistentLookup: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let progress: ReturnProgress = { ...fresh, ...weighAnswer(fresh, unknown, after(0)).changes };
        let seconds = 0;
        let denials: number[] = [];
        for (const { answer: said, waitSec, consistentLookup } of steps) {
          seconds += waitSec;
          if (said.kind === 'unknown') denials = [];
          if (said.kind === 'refused' || said.kind === 'not_found') denials.push(seconds);
          const { end, changes } = weighAnswer(progress, said, after(seconds, consistentLookup));
          const isProven = denials.length > 1 && seconds - (denials[0] ?? 0) >= 120;
          expect(end).toBe(said.kind === 'refused' && isProven && consistentLookup ? 'failed' : null);
          if (end) return;
          progress = { ...progress, ...changes };
        }
      }),
    );
  });
});

describe('after an unknown outcome', () => {
  const lost = { ...fresh, ...weighAnswer(fresh, unknown, after(0)).changes };

  test('the provider is only asked, until it has denied the return for two minutes', () => {
    expect(nextStep(lost, true)).toBe('look up');
    const once = { ...lost, ...weighAnswer(lost, { kind: 'not_found' }, after(5)).changes };
    const soon = { ...once, ...weighAnswer(once, { kind: 'not_found' }, after(20)).changes };
    expect(nextStep(soon, true)).toBe('look up');
    const apart = { ...soon, ...weighAnswer(soon, { kind: 'not_found' }, after(125)).changes };
    expect(nextStep(apart, true)).toBe('call');
    expect(nextStep(apart, false)).toBe('look up');
  });

  test('what the provider has taken is never sent again, however often it denies it later', () => {
    const taken = { ...lost, ...weighAnswer(lost, { kind: 'processing', providerRef: 'P1' }, after(5)).changes };
    for (const seconds of [10, 1_000, 100_000]) {
      const denied = weighAnswer(taken, { kind: 'not_found' }, after(seconds));
      expect(denied).toEqual({ end: null, changes: {} });
    }
    expect(nextStep(taken, true)).toBe('look up');
  });
});

test('questions grow apart: 5 s, 15 s, 1 min, 5 min, then 15 min', () => {
  const taken: ReturnProgress = { ...fresh, providerRef: 'P1' };
  const said: ReturnAnswer = { kind: 'processing', providerRef: 'P1' };
  const distances = [0, 1, 2, 3, 4, 5, 50].map((attempts) => {
    return (dueAgain({ ...taken, attempts }, said, after(0)).getTime() - start) / 1_000;
  });
  expect(distances).toEqual([5, 15, 60, 300, 900, 900, 900]);
});

test('a question that can make its absence certain is not put off beyond that moment', () => {
  const first = new Date(start);
  const denied = { ...fresh, attempts: 4, unknownSince: first, notFoundCount: 1, notFoundSince: first };
  expect(dueAgain(denied, { kind: 'not_found' }, after(60)).getTime()).toBe(start + 2 * minuteMs);
});
