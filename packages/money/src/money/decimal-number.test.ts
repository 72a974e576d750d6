import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalNumber, decimalText, parseDecimal } from '#src/money/decimal-number.ts';

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

describe('reading a decimal amount', () => {
  test.each([
    ['19.9', 1_990],
    ['19.90', 1_990],
    ['67.56', 6_756],
    ['0.29', 29],
    ['1', 100],
    ['0', 0],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('%s is %i cents', (text, cents) => {
    expect(parseDecimal(text, 'BRL')).toBe(cents);
  });

  test.each([
    '12,50',
    '1e2',
    '1E2',
    '12.505',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1.',
    '.5',
    '',
    'NaN',
    '0x10',
    '٣',
    '90071992547409.92',
  ])('%j is no amount', (text) => {
    expect(parseDecimal(text, 'BRL')).toBeUndefined();
  });

  test('gives back every amount that was written', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (cents) => {
        expect(parseDecimal(decimalText(BigInt(cents), 2), 'BRL')).toBe(cents);
      }),
    );
  });
});
