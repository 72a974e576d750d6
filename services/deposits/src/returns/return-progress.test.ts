import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterLostCall,
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
    const answer: ReturnAnswer = { kind: 'processing', providerRef: 'P1' };
    const taken = { ...fresh, ...weighAnswer({ ...fresh, callStartedAt: new Date(start) }, answer, after(1)).changes };
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
        for (const { answer: given, waitSec, consistentLookup } of steps) {
          seconds += waitSec;
          if (given.kind === 'unknown') denials = [];
          if (given.kind === 'refused' || given.kind === 'not_found') denials.push(seconds);
          const { end, changes } = weighAnswer(progress, given, after(seconds, consistentLookup));
          const isProven = denials.length > 1 && seconds - (denials[0] ?? 0) >= 120;
          expect(end).toBe(given.kind === 'refused' && isProven && consistentLookup ? 'failed' : null);
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
  const answer: ReturnAnswer = { kind: 'processing', providerRef: 'P1' };
  const distances = [0, 1, 2, 3, 4, 5, 50].map((attempts) => {
    return (dueAgain({ ...taken, attempts }, answer, after(0)).getTime() - start) / 1_000;
  });
  expect(distances).toEqual([5, 15, 60, 300, 900, 900, 900]);
});

test('a question that can make its absence certain is not put off beyond that moment', () => {
  const first = new Date(start);
  const denied = { ...fresh, attempts: 4, unknownSince: first, notFoundCount: 1, notFoundSince: first };
  expect(dueAgain(denied, { kind: 'not_found' }, after(60)).getTime()).toBe(start + 2 * minuteMs);
});

describe('an answer about a return of which nothing was certain', () => {
  const open: ReturnProgress = {
    ...fresh,
    attempts: 3,
    unknownSince: new Date(start),
    notFoundCount: 1,
    notFoundSince: new Date(start),
    providerRef: 'P0',
  };
  const certain = { unknownSince: null, notFoundCount: 0, notFoundSince: null };

  test('that it is done, or has failed, ends it and leaves nothing open', () => {
    const done = weighAnswer(open, { kind: 'done', providerRef: 'P1', returnId: 'D1' }, after(9));
    expect(done).toEqual({ end: 'done', changes: { ...certain, providerRef: 'P1' } });
    const failure = { kind: 'failed', code: 'account_closed', message: '' } as const;
    expect(weighAnswer(open, { ...failure, providerRef: 'P1' }, after(9))).toEqual({
      end: 'failed',
      changes: { ...certain, providerRef: 'P1' },
    });
    expect(weighAnswer(open, failure, after(9)).changes.providerRef).toBe('P0');
  });

  test('that it is under way begins the questions anew, once', () => {
    const answer: ReturnAnswer = { kind: 'processing', providerRef: 'P1' };
    expect(weighAnswer({ ...open, providerRef: null }, answer, after(9))).toEqual({
      end: null,
      changes: { ...certain, attempts: 0, providerRef: 'P1' },
    });
    expect(weighAnswer(open, answer, after(9))).toEqual({ end: null, changes: { ...certain, providerRef: 'P1' } });
  });

  test('that nobody can rely on leaves it open since the first of them', () => {
    for (const kind of ['unknown', 'differs'] as const) {
      expect(weighAnswer(open, { kind, cause: '' }, after(9))).toEqual({
        end: null,
        changes: { ...certain, unknownSince: new Date(start), providerRef: 'P0' },
      });
      expect(weighAnswer(fresh, { kind, cause: '', providerRef: 'P1' }, after(9)).changes).toEqual({
        ...certain,
        unknownSince: after(9).now,
        providerRef: 'P1',
      });
    }
  });

  test('that it was not sent, or cannot be asked about, changes nothing', () => {
    for (const kind of ['not_sent', 'unavailable'] as const) {
      expect(weighAnswer(open, { kind, cause: '' }, after(9))).toEqual({ end: null, changes: {} });
    }
  });

  test('that it is not there proves nothing while a call is being made', () => {
    const calling = { ...fresh, callStartedAt: new Date(start) };
    expect(weighAnswer(calling, { kind: 'not_found' }, after(9))).toEqual({ end: null, changes: {} });
  });
});

describe('a call whose lease ended without an outcome', () => {
  const called = new Date(start);

  test('may have been carried out since it was announced, or since an earlier one was', () => {
    const lost = { notFoundCount: 0, notFoundSince: null, callStartedAt: null };
    const denied = { ...fresh, notFoundCount: 1, notFoundSince: called, callStartedAt: called };
    expect(afterLostCall(denied)).toEqual({ ...lost, unknownSince: called });
    const unknownSince = new Date(start - minuteMs);
    expect(afterLostCall({ ...denied, unknownSince })).toEqual({ ...lost, unknownSince });
  });

  test('changes nothing where none was announced', () => {
    expect(afterLostCall(fresh)).toEqual({});
  });
});

describe('a return without an end is taken up again', () => {
  const first = new Date(start);
  const absent = { ...fresh, attempts: 1, unknownSince: first, notFoundCount: 2, notFoundSince: first };

  test('at once where its absence is certain, so that it is called again', () => {
    expect(dueAgain(absent, { kind: 'not_found' }, after(130))).toEqual(after(130).now);
  });

  test('at the usual distance where lookups are not consistent, or another answer was given', () => {
    const usual = new Date(start + 145_000);
    expect(dueAgain(absent, { kind: 'not_found' }, after(130, false))).toEqual(usual);
    expect(dueAgain(absent, unknown, after(130))).toEqual(usual);
    expect(dueAgain({ ...absent, notFoundCount: 1 }, { kind: 'not_found' }, after(130))).toEqual(usual);
  });

  test('at the usual distance where no absence can become certain', () => {
    const late = { ...absent, attempts: 4, notFoundCount: 1 };
    expect(dueAgain(late, unknown, after(60, false))).toEqual(new Date(start + 960_000));
    expect(dueAgain({ ...late, providerRef: 'P1' }, unknown, after(60))).toEqual(new Date(start + 960_000));
    expect(dueAgain({ ...late, notFoundSince: null }, unknown, after(60))).toEqual(new Date(start + 960_000));
  });
});
