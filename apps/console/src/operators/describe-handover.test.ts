import { expect, test } from 'vitest';
import type { AuditEntry } from '#src/generated/types.gen.ts';
import { deedsOf, handoverText, shiftOf } from '#src/operators/describe-handover.ts';

const entry = (operator: string, action: string, target: string) => ({ operator, action, target }) as AuditEntry;

test('what was done stands together by who did it, and nothing of it is left out', () => {
  const deeds = deedsOf([
    entry('ana', 'account.freeze', 'acc_1'),
    entry('bruno', 'payout.approve', 'pyt_1'),
    entry('bruno', 'payout.approve', 'pyt_2'),
  ]);
  expect(deeds).toEqual([
    { operator: 'bruno', action: 'payout.approve', targets: ['pyt_1', 'pyt_2'] },
    { operator: 'ana', action: 'account.freeze', targets: ['acc_1'] },
  ]);
});

test('as text it has every part, also one in which there is nothing', () => {
  const text = handoverText('Handover', [
    { heading: 'Still open', lines: [], none: 'Nothing waits.' },
    { heading: 'Done', lines: ['ana: account.freeze acc_1'], none: '' },
  ]);
  expect(text).toBe('Handover\n\nStill open\n- Nothing waits.\n\nDone\n- ana: account.freeze acc_1');
});

test('an address that names no shift is of the last eight hours', () => {
  expect([shiftOf('12'), shiftOf(24), shiftOf('7'), shiftOf(undefined)]).toEqual(['12', '24', '8', '8']);
});
