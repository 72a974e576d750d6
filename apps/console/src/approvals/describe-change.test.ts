import { expect, test } from 'vitest';
import { differencesBeside, differencesOf, nameOf, writtenValue } from '#src/approvals/describe-change.ts';
import type { Approval } from '#src/generated/types.gen.ts';
import { operatorTexts } from '#src/texts/operators.ts';

const words = { ...operatorTexts.en, language: 'en' };

const read = (request: Approval['request'], before: Approval['before'] = null) =>
  differencesOf({ request, before }).map((difference) => [
    nameOf(difference, words),
    writtenValue(difference.before, difference, words),
    writtenValue(difference.after, difference, words),
  ]);

test('every member of a change is read in words, with what it was', () => {
  expect(read({ auto_approve_payouts: true, name: 'Loja' }, { auto_approve_payouts: false, name: 'paid' })).toEqual([
    ['Payouts without an operator', 'no', 'yes'],
    ['Name', 'paid', 'Loja'],
  ]);
  expect(read({ outcome: 'paid', none: null })).toEqual([
    ['Outcome', undefined, 'paid'],
    ['none', undefined, undefined],
  ]);
});

test('an amount is read in the currency that the change names, or that it stands under', () => {
  expect(read({ currency: 'MXN', amount_cents: -123_456 })[1]).toEqual(['Amount', undefined, '−$1,234.56']);
  expect(read({ currency: 'BRL', through: 'dep_1', owed: 20_000 }).at(-1)).toEqual(['Owed', undefined, '200.00 USDT']);
  const limits = { payout_limits: { per_day_cents: 0, MXN: { per_day_cents: 5_000 } } };
  expect(read(limits, { payout_limits: { per_day_cents: 100, MXN: null } })).toEqual([
    ['Limits of payouts · In a day', 'R$1.00', 'R$0.00'],
    ['Limits of payouts · MXN · In a day', undefined, '$50.00'],
  ]);
  expect(read({ fees: { payout: { bps: 99 } } })).toEqual([['Fees · Payout · Part of the amount', undefined, '0.99%']]);
});

test('a list is read with its parts after each other, and what has no word stays as it is', () => {
  expect(read({ roles: ['admin', 'duty'], odd_member: { of: [{ b: 1 }] } })).toEqual([
    ['Roles', undefined, 'admin, duty'],
    ['odd member · of', undefined, '{"b":1}'],
  ]);
});

test('a time is read with its zone', () => {
  const [[name, was, at] = []] = read({ opened_at: '2025-05-12T09:00:00.000Z' });
  expect([name, was]).toEqual(['Opened', undefined]);
  expect(at).toMatch(/^May 12, 2025, /);
});

test('what stands beside the change already is not repeated in it, and everything else is', () => {
  const approval = { target: 'pyt_1', account_id: 'acc_1', environment: 'live', before: null } as Approval;
  const request = { payout_id: 'pyt_1', account_id: 'acc_1', environment: 'live', evidence: 'line 12' };
  expect(differencesBeside({ ...approval, request }).map(({ path }) => path)).toEqual([['evidence']]);
  const other = { ...approval, request: { account_id: 'acc_2', environment: 'test' } };
  expect(differencesBeside(other)).toHaveLength(2);
});
