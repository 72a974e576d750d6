import { expect, test } from 'vitest';
import { changedSettings, daysText, feeText, limitText, stateOf, typedBps } from '#src/accounts/describe-account.ts';
import type { Key } from '#src/generated/types.gen.ts';

test('days are read in the words of the language', () => {
  expect([daysText(1, 'en'), daysText(14, 'pt-BR')]).toEqual(['1 day', '14 dias']);
});

test('a fee is read as its fixed part and its percentage, to the hundredth', () => {
  expect(feeText({ fixed_cents: 50, bps: 99 }, 'BRL', 'en')).toBe('R$0.50 + 0.99%');
  expect(feeText({ fixed_cents: 0, bps: 1_205 }, 'BRL', 'pt-BR')).toMatch(/^R\$\s0,00 \+ 12,05%$/);
  expect(limitText(null, 'BRL', 'en', 'none')).toBe('none');
});

test('a typed percentage is hundredths of a percent, and what is none is refused', () => {
  expect([typedBps('0,99'), typedBps('1.5'), typedBps('3'), typedBps('100')]).toEqual([99, 150, 300, 10_000]);
  expect([typedBps('0.999'), typedBps('-1'), typedBps('101'), typedBps('')]).toEqual(Array(4).fill(undefined));
});

test('a live key opens nothing before its secret was fetched, and nothing once it is revoked', () => {
  const key = { environment: 'live', revoked_at: null, claimed_at: null } as Key;
  expect(stateOf(key)).toBe('unclaimed');
  expect(stateOf({ ...key, claimed_at: 1 })).toBe('active');
  expect(stateOf({ ...key, environment: 'test' })).toBe('active');
  expect(stateOf({ ...key, claimed_at: 1, revoked_at: 2 })).toBe('revoked');
});

test('of the settings of an account only what is not as it was is sent', () => {
  const now = {
    name: 'Loja',
    document: '***.982.247-**',
    retention_days: 2,
    rate_limit: { per_second: 100, burst: 200 },
  };
  expect(changedSettings(now, { ...now })).toEqual({});
  expect(changedSettings(now, { ...now, name: 'Loja Azul' })).toEqual({ name: 'Loja Azul' });
  expect(changedSettings(now, { ...now, document: null })).toEqual({ document: null });
  const rate_limit = { per_second: 100, burst: 300 };
  expect(changedSettings(now, { ...now, retention_days: 0, rate_limit })).toEqual({ retention_days: 0, rate_limit });
});
