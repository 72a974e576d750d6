import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountMax } from '@gateway/money';
import { readRate, rateText, sourceOf, targetOf, withSpread } from '#src/rates/rate.ts';

const pair = { from: 'BRL', to: 'USDT' } as const;
const scale = 10n ** 8n;
const rates = fc.bigInt({ min: 1n, max: 10n ** 13n });
const amounts = fc.integer({ min: 1, max: amountMax });

describe('a conversion never creates value', () => {
  test('what is got costs at most what is given, and less than one unit is lost', () => {
    fc.assert(
      fc.property(rates, amounts, (rate, from) => {
        const to = targetOf(from, rate, pair);
        expect(to * rate).toBeLessThanOrEqual(BigInt(from) * scale);
        expect((to + 1n) * rate).toBeGreaterThan(BigInt(from) * scale);
      }),
    );
  });

  test('what is wanted costs less than one unit more than its worth', () => {
    fc.assert(
      fc.property(rates, amounts, (rate, to) => {
        const from = sourceOf(to, rate, pair);
        expect(BigInt(to) * rate).toBeLessThanOrEqual(from * scale);
        expect(BigInt(to) * rate).toBeGreaterThan((from - 1n) * scale);
      }),
    );
  });

  test('and our share never makes it cheaper', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 5_000 }), (market, spreadBps) => {
        const rate = withSpread(market, spreadBps);
        expect(rate * 10_000n).toBeGreaterThanOrEqual(market * BigInt(10_000 + spreadBps));
        expect((rate - 1n) * 10_000n).toBeLessThan(market * BigInt(10_000 + spreadBps));
      }),
    );
  });
});

describe('a rate', () => {
  test.each([
    ['5.4123', '5.41230000'],
    ['18', '18.00000000'],
    ['0.00000001', '0.00000001'],
    ['5.412300001', '5.41230001'],
    ['5.4123000000', '5.41230000'],
  ])('of %s is %s', (text, shown) => {
    expect(rateText(readRate(text))).toBe(shown);
  });

  test.each(['', '0', '0.0', '-1', '1e3', '1,5', 'NaN', '.5', '123456789'])('is not "%s"', (text) => {
    expect(() => readRate(text)).toThrow(RangeError);
  });

  test('of 5.4123 brings 18.47 for 100.00, which is wanted for 99.97', () => {
    expect(targetOf(10_000, readRate('5.4123'), pair)).toBe(1_847n);
    expect(sourceOf(1_847, readRate('5.4123'), pair)).toBe(9_997n);
    expect(targetOf(5, readRate('5.4123'), pair)).toBe(0n);
  });
});
