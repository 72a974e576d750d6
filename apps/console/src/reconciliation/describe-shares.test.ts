import { expect, test } from 'vitest';
import type { ExplainedShare } from '#src/generated/types.gen.ts';
import { isKept, sumsOf } from '#src/reconciliation/describe-shares.ts';

test('one movement in ten thousand may be late, and no more', () => {
  expect([1_000_000, 999_900, 999_899].map(isKept)).toEqual([true, true, false]);
});

test('what is not explained is read with its account, the oldest first, and none of it is added up', () => {
  const sum = (side: string, oldest_at: string) => ({ side, oldest_at });
  const shares = [
    { provider: 'efi', unexplained: [sum('P', '2026-01-02T10:00:00.000Z'), sum('L', '2026-01-02T10:00:02.000Z')] },
    { provider: 'woovi', unexplained: [sum('P', '2026-01-02T10:00:01.000Z')] },
    { provider: 'spei', unexplained: [] },
  ] as unknown as ExplainedShare[];
  expect(sumsOf(shares).map(({ provider, side }) => [provider, side])).toEqual([
    ['efi', 'P'],
    ['woovi', 'P'],
    ['efi', 'L'],
  ]);
});
