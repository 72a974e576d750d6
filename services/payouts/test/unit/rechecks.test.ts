import { describe, expect, test } from 'vitest';
import type { PayoutRow, Unconfirmed } from '#src/payout/payout-entity.ts';
import {
  afterAnswer,
  afterNoAnswer,
  atItsEnd,
  keepOpen,
  notAllAnswered,
  withoutOutcome,
} from '#src/settlement/plan-recheck.ts';
import {
  after,
  leaseMs,
  leaseUntil,
  lookupDistanceMs,
  neverArrivedOnTheWire,
  settlementLeaseMs,
} from '#src/settlement/timing.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const now = new Date('2026-03-04T05:06:07.008Z');
const earlier = (ms: number) => new Date(now.getTime() - ms);
const later = (ms: number) => new Date(now.getTime() + ms);

const live = {
  environment: 'live',
  state: 'PROCESSING',
  sentAt: earlier(dayMs),
  createdAt: earlier(dayMs),
  knownUnsent: false,
  alsoPaidBy: [],
  unconfirmed: null,
  attentionAt: null,
  attentionReason: null,
  rechecks: 0,
  recheckAt: null,
} as unknown as PayoutRow;

const report: Unconfirmed = { since: earlier(minuteMs).toISOString(), outcome: false, returnIds: ['D1'] };
const outOfQueue = { attentionAt: null, attentionReason: null };

/** Days after its end at which a payout is asked about while every question is answered. */
function plannedDays(state: 'PAID' | 'FAILED' | 'REJECTED'): number[] {
  const days: number[] = [];
  let at = now;
  let { recheckAt } = atItsEnd(live, state, at);
  for (let rechecks = 0; recheckAt; rechecks++) {
    days.push((recheckAt.getTime() - now.getTime()) / dayMs);
    at = recheckAt;
    const changes = afterAnswer({ ...live, state, rechecks }, at);
    expect(changes.rechecks).toBe(rechecks + 1);
    ({ recheckAt } = changes);
  }
  expect(recheckAt).toBeNull();
  return days;
}

describe('a live payout that has ended', () => {
  test('is asked about without any notification: paid for as long as PIX can return it, else for thirty days', () => {
    expect(plannedDays('PAID')).toEqual([1, 2, 7, 14, 30, 60, 91]);
    expect(plannedDays('FAILED')).toEqual([1, 7, 30]);
    expect(plannedDays('REJECTED')).toEqual([1, 7, 30]);
  });

  test('is asked about at once where something is reported that is not confirmed', () => {
    expect(atItsEnd({ ...live, unconfirmed: report }, 'PAID', now)).toEqual({ dueAt: null, recheckAt: now });
  });

  test('is not due any more, and leaves the operators’ queue unless its provider contradicts itself', () => {
    const waiting = { ...live, attentionAt: earlier(hourMs), attentionReason: 'told_unconfirmed' } as PayoutRow;
    expect(atItsEnd(waiting, 'PAID', now)).toEqual({ dueAt: null, ...outOfQueue, recheckAt: later(dayMs) });
    const contradicted = { ...waiting, attentionReason: 'contradiction' } as PayoutRow;
    expect(atItsEnd(contradicted, 'PAID', now)).toEqual({ dueAt: null, recheckAt: later(dayMs) });
  });

  test('is not asked about when it never set out; a reservation given back may have, unless it is known that it did not', () => {
    const unsent = { ...live, sentAt: null };
    expect(atItsEnd({ ...unsent, state: 'PENDING' }, 'REJECTED', now)).toEqual({ dueAt: null });
    expect(atItsEnd({ ...unsent, state: 'RELEASING', knownUnsent: true }, 'REJECTED', now)).toEqual({ dueAt: null });
    expect(atItsEnd({ ...unsent, state: 'RELEASING' }, 'REJECTED', now).recheckAt).toEqual(later(dayMs));
    expect(atItsEnd({ ...live, state: 'RELEASING', knownUnsent: true }, 'REJECTED', now).recheckAt).toBeTruthy();
  });

  test('in test mode is never asked about', () => {
    expect(atItsEnd({ ...live, environment: 'test', unconfirmed: report }, 'PAID', now)).toEqual({ dueAt: null });
  });
});

describe('an answer', () => {
  test('to a planned question leads to the next one; to a question about a report it does not count as planned', () => {
    const paid = { ...live, state: 'PAID', rechecks: 1 } as PayoutRow;
    expect(afterAnswer(paid, now)).toEqual({ unconfirmed: null, rechecks: 2, recheckAt: later(5 * dayMs) });
    expect(afterAnswer({ ...paid, unconfirmed: report }, now)).toEqual({
      unconfirmed: null,
      rechecks: 1,
      recheckAt: later(dayMs),
    });
  });

  test('takes a payout out of the operators’ queue where it waited for that alone', () => {
    const waiting = { ...live, state: 'PAID', attentionAt: earlier(hourMs) } as PayoutRow;
    expect(afterAnswer({ ...waiting, attentionReason: 'told_unconfirmed' }, now)).toMatchObject(outOfQueue);
    expect(afterAnswer({ ...waiting, attentionReason: 'answer_differs' }, now)).not.toHaveProperty('attentionAt');
  });

  test('that did not come is asked for again within the hour', () => {
    expect(afterNoAnswer(now)).toEqual({ recheckAt: later(hourMs) });
  });

  test('that one of several providers owes is asked for within the hour, earlier where that was planned', () => {
    const before = { ...live, rechecks: 2 };
    const changes = (recheckAt: Date | null) => notAllAnswered(before, { ...live, rechecks: 3, recheckAt }, now);
    expect(changes(null)).toEqual({ rechecks: 2, recheckAt: later(hourMs) });
    expect(changes(later(minuteMs))).toEqual({ rechecks: 2, recheckAt: later(minuteMs) });
    expect(changes(later(dayMs))).toEqual({ rechecks: 2, recheckAt: later(hourMs) });
  });

  test('that one of several providers owes is given up 91 days after the payout set out, or was created', () => {
    const aged = (ms: number) => ({ ...live, sentAt: earlier(ms) });
    expect(notAllAnswered(aged(91 * dayMs), live, now)).not.toBeNull();
    expect(notAllAnswered(aged(91 * dayMs + 1), live, now)).toBeNull();
    const unsent = { ...live, sentAt: null, createdAt: earlier(92 * dayMs) };
    expect(notAllAnswered(unsent, live, now)).toBeNull();
  });
});

describe('something that is reported and not confirmed', () => {
  const reported = { outcome: false, returnIds: ['D1', 'D2'] };
  const openFor = (ms: number) => ({ ...live, unconfirmed: { ...report, since: earlier(ms).toISOString() } });

  test('is kept since it was first heard of, with all that is known of it', () => {
    expect(keepOpen(live, reported, now)).toEqual({
      unconfirmed: { since: now.toISOString(), ...reported },
      recheckAt: later(15_000),
    });
    const again = keepOpen(openFor(hourMs), reported, now);
    expect(again.unconfirmed).toEqual({ since: earlier(hourMs).toISOString(), ...reported });
  });

  test('stays another outcome once it was one', () => {
    const kept = (before: boolean, outcome: boolean) => {
      const payout = { ...live, unconfirmed: { ...report, outcome: before } };
      return keepOpen(payout, { ...reported, outcome }, now).unconfirmed!.outcome;
    };
    expect([kept(false, false), kept(true, false), kept(false, true)]).toEqual([false, true, true]);
    expect(keepOpen(live, { ...reported, outcome: true }, now).unconfirmed!.outcome).toBe(true);
  });

  test('is asked about at growing distances, from fifteen seconds to a day, for 91 days', () => {
    const distance = (openMs: number) => keepOpen(openFor(openMs), reported, now).recheckAt;
    expect(distance(20_000)).toEqual(later(15_000));
    expect(distance(hourMs)).toEqual(later(hourMs / 2));
    expect(distance(30 * dayMs)).toEqual(later(dayMs));
    expect(distance(91 * dayMs)).toEqual(later(dayMs));
    expect(distance(91 * dayMs + 1)).toBeNull();
  });

  test('is in the operators’ queue after 25 minutes, and not before', () => {
    expect(keepOpen(openFor(25 * minuteMs - 1), reported, now)).not.toHaveProperty('attentionAt');
    const late = keepOpen(openFor(25 * minuteMs), reported, now);
    expect(late).toMatchObject({ attentionAt: now, attentionReason: 'told_unconfirmed' });
  });

  test('has at most fifty returns', () => {
    const returnIds = Array.from({ length: 60 }, (_, index) => `D${index}`);
    expect(keepOpen(live, { outcome: false, returnIds }, now).unconfirmed).toMatchObject({
      returnIds: returnIds.slice(0, 50),
    });
  });

  test('is open for its returns alone once its outcome is on record', () => {
    expect(withoutOutcome({ ...report, outcome: true })).toEqual({ ...report, outcome: false });
    for (const nothing of [{ ...report, outcome: true, returnIds: [] }, null, undefined]) {
      expect(withoutOutcome(nothing)).toBeNull();
    }
  });
});

describe('the distances of a payout under way', () => {
  test('of lookups grow: 5 s, 15 s, 1 min, 5 min, then 15 min', () => {
    expect([0, 1, 2, 3, 4, 100].map(lookupDistanceMs)).toEqual([5_000, 15_000, 60_000, 300_000, 900_000, 900_000]);
  });

  test('let a lease outlast the longest single step, a call or the ledger’s answer', () => {
    expect([leaseMs({ callTimeoutMs: 10_000 }), leaseMs({ callTimeoutMs: 1_000 })]).toEqual([11_000, 5_000]);
  });

  test('let a process have what it settles for twice as long as the ledger is waited for', () => {
    expect(settlementLeaseMs).toBe(8_000);
  });

  test('keep the lease on record while it lasts as long as is needed and no longer than thirty seconds', () => {
    const until = (dueAt: Date | null) => leaseUntil({ dueAt }, now, 5_000);
    for (const ms of [5_000, 5_001, 30_000]) expect(until(later(ms))).toEqual(later(ms));
    for (const ms of [4_999, 30_001, -1]) expect(until(later(ms))).toEqual(later(5_000));
    expect(until(null)).toEqual(later(5_000));
  });

  test('believe a provider that a payout never arrived after two lookups in two minutes', () => {
    expect(neverArrivedOnTheWire).toEqual({ lookups: 2, afterMs: 120_000 });
  });

  test('are counted from the time that is given', () => {
    expect(after(now, 1_500)).toEqual(later(1_500));
  });
});
