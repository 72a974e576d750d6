import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalNumber, decimalText } from '#src/amounts/decimal-number.ts';

describe('a decimal amount', () => {
  test.each([
    [0n, '0'],
    [1n, '0.01'],
    [10n, '0.1'],
    [1990n, '19.9'],
    [100n, '1'],
    [-5n, '-0.05'],
    [-123_456n, '-1234.56'],
    [9_007_199_254_740_991n, '90071992547409.91'],
  ])('of %s cents is written %s', (cents, text) => {
    expect(decimalText(cents, 2)).toBe(text);
  });

  test('read back digit by digit is the amount it was, whatever the exponent', () => {
    const amounts = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 8 }), (amount, exponent) => {
        const [units = '', decimals = ''] = decimalText(amount, exponent).split('.');
        expect(BigInt(units + decimals.padEnd(exponent, '0'))).toBe(amount);
      }),
    );
  });

  test('reaches the JSON with the digits it has, where a float would have lost one', () => {
    const cents = 9_007_199_254_740_993n;
    expect(JSON.stringify({ amount: decimalNumber(cents, 'BRL') })).toBe('{"amount":90071992547409.93}');
    expect(JSON.stringify({ amount: 0.1 + 0.2 })).not.toBe('{"amount":0.3}');
    expect(JSON.stringify({ amount: decimalNumber(30n, 'BRL') })).toBe('{"amount":0.3}');
  });
});
