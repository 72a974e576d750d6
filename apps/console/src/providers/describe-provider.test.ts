import { expect, test } from 'vitest';
import type { Provider, ProviderBalance } from '#src/generated/types.gen.ts';
import { differenceOf, hoursLeft, othersOf } from '#src/providers/describe-provider.ts';

const provider = (id: string, more: Partial<Provider> = {}) =>
  ({
    ...{ id, kind: 'payments', environment: 'live', enabled: true, weight: 10 },
    ...{ payment_methods: ['PIX'], ...more },
  }) as Provider;

test('what a provider does not take goes to those of its environment and rails that are on, the heaviest first', () => {
  const efi = provider('efi');
  const all = [
    efi,
    provider('woovi', { weight: 30 }),
    provider('asaas', { weight: 60 }),
    provider('off', { enabled: false }),
    provider('sandbox', { environment: 'test' }),
    provider('spei', { payment_methods: ['SPEI'] }),
    provider('foxbit', { kind: 'exchange' }),
  ];
  expect(othersOf(efi, all)).toEqual(['asaas', 'woovi']);
});

test('what could not be compared is no difference of zero', () => {
  const balance = { difference_cents: 0, problem: null } as ProviderBalance;
  expect(differenceOf(balance)).toBe(0);
  expect(differenceOf({ ...balance, difference_cents: null })).toBeUndefined();
  expect(differenceOf({ ...balance, problem: 'it does not answer' })).toBeUndefined();
});

test('what is held lasts as long as more goes out than comes in, at the rate of a day', () => {
  expect(hoursLeft(10_000, { in: 1_000, out: 6_000 })).toBe(48);
  expect(hoursLeft(10_000, { in: 6_000, out: 6_000 })).toBeNull();
  expect([hoursLeft(0, { in: 0, out: 1 }), hoursLeft(-500, { in: 0, out: 1 })]).toEqual([0, 0]);
});
