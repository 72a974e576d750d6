import { expect, test } from 'vitest';
import { kindOf, stateOf } from '#src/records/describe-found.ts';
import { operatorsEn } from '#src/texts/operators-en.ts';

test('records of all kinds are named and have their state in the words of their own pages', () => {
  const rows = [
    { kind: 'deposit', status: 'PENDING' },
    { kind: 'payout', status: 'PENDING' },
    { kind: 'orphan_receipt', status: 'RETURNED' },
    { kind: 'dispute', status: 'LOST' },
    { kind: 'deposit', status: 'EXPIRED' },
    { kind: 'webhook', status: 'paused' },
  ] as const;
  expect(rows.map((row) => [kindOf(row, operatorsEn), stateOf(row, operatorsEn)])).toEqual([
    ['Deposit', { tone: 'wait', word: 'Waits for payment' }],
    ['Payout', { tone: 'wait', word: 'Waits for approval' }],
    ['Orphan receipt', { tone: 'good', word: 'Returned' }],
    ['Dispute', { tone: 'bad', word: 'Lost' }],
    ['Deposit', { tone: 'neutral', word: 'Expired' }],
    ['Endpoint', { tone: 'neutral', word: 'Paused' }],
  ]);
});

test('an account has no state, and one that there are no words for is shown as it is', () => {
  expect(stateOf({ kind: 'account', status: null }, operatorsEn)).toBeUndefined();
  expect(stateOf({ kind: 'conversion', status: 'COMPLETED' }, operatorsEn)).toEqual({
    tone: 'good',
    word: 'COMPLETED',
  });
});
