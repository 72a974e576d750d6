import { expect, test } from 'vitest';
import type { Provider, ReconciliationCheck } from '#src/generated/types.gen.ts';
import { failedFirst, failedOf, holdingsOf } from '#src/reconciliation/describe-reconciliation.ts';

test('the largest difference comes first, whatever its sign, with all that is on its way added up', () => {
  const balance = (difference: number | null, ...inFlight: readonly (readonly [number, number])[]) => ({
    currency: 'BRL',
    difference_cents: difference,
    in_flight: inFlight.map(([least, most]) => ({ at_least_cents: least, at_most_cents: most })),
  });
  const providers = [
    { id: 'efi', balances: [balance(0), balance(null)] },
    { id: 'woovi', balances: [balance(-450_000, [0, 500], [-20, 100])] },
    { id: 'sandbox', balances: [] },
  ] as unknown as Provider[];
  const rows = holdingsOf(providers);
  expect(rows.map(({ provider, least, most }) => [provider, least, most])).toEqual([
    ['woovi', -20, 600],
    ['efi', 0, 0],
    ['efi', 0, 0],
  ]);
});

test('a check that found something is never counted as one that did not, and is read first', () => {
  const checks = [{ status: 'OK' }, { status: 'DISCREPANCY' }] as ReconciliationCheck[];
  expect(failedOf(checks)).toHaveLength(1);
  expect(failedFirst(checks).map(({ status }) => status)).toEqual(['DISCREPANCY', 'OK']);
});
