import { expect, test } from 'vitest';
import {
  currenciesOf,
  type EventTotal,
  momentsOf,
  periodIn,
  queryOf,
  slotsOf,
  successOf,
  volumesByProvider,
  volumesOf,
  wholeOf,
} from '#src/volumes/totals.ts';

const now = new Date('2026-11-20T15:30:00Z');
const hour = Date.parse('2026-11-20T15:00:00Z') / 1_000;

const total = (event: string, count: number, amount: number, at = hour, currency = 'BRL'): EventTotal => ({
  ...{ event, currency, at, count, amount_cents: amount },
});

test('the last hour shown is the one under way, and the last day today', () => {
  expect(slotsOf('day', now)).toHaveLength(24);
  expect(slotsOf('day', now).at(-1)).toBe(hour);
  expect(slotsOf('day', now)[0]).toBe(hour - 23 * 3_600);
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime() / 1_000;
  expect(slotsOf('week', now)).toHaveLength(7);
  expect(slotsOf('month', now)).toHaveLength(30);
  expect([slotsOf('week', now).at(-1), slotsOf('month', now).at(-1)]).toEqual([today, today]);
});

test('totals are asked for from the first hour or day that is shown', () => {
  expect(queryOf('day', now)).toMatchObject({ from: String(hour - 23 * 3_600), by: 'hour', zone: 'UTC' });
  expect(queryOf('week', now)).toMatchObject({ from: String(slotsOf('week', now)[0]), by: 'day' });
});

test('an address with another period is of the last day', () => {
  expect([periodIn('month'), periodIn('year'), periodIn(undefined)]).toEqual(['month', 'day', 'day']);
});

test('success is what was paid of what ended, and what waits is in neither', () => {
  const totals = [
    ...[total('deposit.paid', 3, 900), total('deposit.expired', 1, 100), total('deposit.pending', 9, 9_000)],
    ...[total('payout.paid', 1, 50), total('deposit.paid', 2, 70, hour, 'MXN')],
  ];
  const slots = slotsOf('day', now);
  const volumes = volumesOf(totals, { direction: 'in', currency: 'BRL', slots });
  expect(volumes).toHaveLength(24);
  expect(volumes.at(-1)).toEqual({ at: hour, amount: 900, paid: 3, ended: 4 });
  expect(volumes[0]).toMatchObject({ amount: 0, ended: 0 });
  expect(wholeOf(volumes)).toEqual({ at: slots[0], amount: 900, paid: 3, ended: 4 });
  expect([successOf(wholeOf(volumes)), successOf({ paid: 0, ended: 0 })]).toEqual([0.75, null]);
});

test('a currency is shown in which something ended in this direction', () => {
  const totals = [total('payout.failed', 1, 5), total('deposit.paid', 1, 5, hour, 'MXN')];
  expect([currenciesOf(totals, 'in'), currenciesOf(totals, 'out')]).toEqual([['MXN'], ['BRL']]);
});

test('a period is read by provider and direction, each currency by itself', () => {
  const at = (provider: string, given: EventTotal) => ({ ...given, provider });
  const totals = [
    ...[at('woovi', total('deposit.paid', 1, 50)), at('efi', total('deposit.paid', 3, 900))],
    ...[at('efi', total('deposit.paid', 1, 100, hour - 3_600)), at('efi', total('deposit.expired', 4, 1))],
    ...[at('efi', total('payout.failed', 1, 7)), at('efi', total('deposit.paid', 2, 9, hour, 'MXN'))],
  ];
  const own = { provider: 'efi', currency: 'BRL' };
  expect(volumesByProvider(totals)).toEqual([
    { ...own, direction: 'in', amount: 1_000, paid: 4, ended: 8 },
    { ...own, direction: 'in', currency: 'MXN', amount: 9, paid: 2, ended: 2 },
    { provider: 'woovi', currency: 'BRL', direction: 'in', amount: 50, paid: 1, ended: 1 },
    { ...own, direction: 'out', amount: 0, paid: 0, ended: 1 },
  ]);
  expect(volumesByProvider([])).toEqual([]);
});

test('balances are read at eight moments, of which the last is now', () => {
  expect(momentsOf('day', now)).toHaveLength(8);
  expect(momentsOf('day', now).slice(-2)).toEqual([hour - 3 * 3_600, hour + 30 * 60]);
  expect(momentsOf('week', now)[0]).toBe(hour - 7 * 86_400);
  expect(momentsOf('month', now)[0]).toBe(hour - 28 * 86_400);
});
