import { expect, test } from 'vitest';
import { changesOf } from './comparison.ts';
import type { Report } from './report.ts';

const what = 'POST /v1/deposits';
const found = (ratio: number, postgresUs: number, gate: number): Report => ({
  figures: [{ what, ratePerSecond: 1_000, p50Ms: 1, p99Ms: 2, ratio }],
  costs: [{ what, perAnswerUs: { postgres: postgresUs, deposits: 100, 'load generator': 7_000 } }],
  gates: [{ what: 'p99', value: gate, unit: 'ms', atMost: 50 }],
  invariants: [],
  notes: [],
});
const worse = (before: Report, now: Report) =>
  changesOf(before, now)
    .filter(({ isWorse }) => isWorse)
    .map(({ what: each }) => each);

test('what differs by less than two runs of one commit is not worse', () => {
  expect(worse(found(1, 100, 40), found(0.91, 118, 43))).toEqual([]);
});

test('a ratio that falls, processor time that rises and a gate that is missed now are worse', () => {
  const before = found(1, 100, 40);
  expect(worse(before, found(0.89, 100, 40))).toEqual([`${what}, over its baseline`]);
  expect(worse(before, found(1, 121, 40))).toEqual([`${what}, processor time per answer`]);
  expect(worse(before, found(1, 100, 51))).toEqual(['gate: p99']);
});

test('a gate that is missed as before is worse only when it is missed by more', () => {
  expect(worse(found(1, 100, 60), found(1, 100, 65))).toEqual([]);
  expect(worse(found(1, 100, 60), found(1, 100, 67))).toEqual(['gate: p99']);
});

test('a figure that is lost is worse', () => {
  expect(worse(found(1, 100, 40), found(Number.NaN, Number.NaN, Number.NaN))).toHaveLength(3);
});

test('what another program uses is not the processor time of the product', () => {
  const [, cost] = changesOf(found(1, 100, 40), found(1, 150, 40));
  expect(cost).toMatchObject({ before: 200, now: 250, isWorse: true });
});
