import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencies } from '#src/money/currency.ts';
import { decimalNumber, decimalText, parseDecimal } from '#src/money/decimal-text.ts';

const { BRL } = currencies;
const amounts = fc.maxSafeNat();
const units = fc.integer({ min: 0, max: 8 }).map((exponent) => ({ exponent }));
const all = { decimals: 'all' } as const;

describe('decimal text', () => {
  test.each([
    [0, '0.00'],
    [1, '0.01'],
    [10, '0.10'],
    [1990, '19.90'],
    [100, '1.00'],
    [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
  ])('of %i cents is %s, with all decimals', (cents, text) => {
    expect(decimalText(cents, BRL)).toBe(text);
  });

  test('has as many decimals as its unit, and no point where that has none', () => {
    fc.assert(
      fc.property(amounts, units, (amount, unit) => {
        const [, decimals = ''] = decimalText(amount, unit).split('.');
        expect(decimals).toHaveLength(unit.exponent);
      }),
    );
    expect(decimalText(1990, { exponent: 0 })).toBe('1990');
  });

  test('read back is the amount it was written from, whatever the unit', () => {
    fc.assert(
      fc.property(amounts, units, (amount, unit) => {
        expect(parseDecimal(decimalText(amount, unit), unit)).toBe(amount);
        expect(parseDecimal(decimalText(amount, unit), unit, all)).toBe(amount);
      }),
    );
  });

  test('of a larger amount is longer, or sorts later at the same length', () => {
    fc.assert(
      fc.property(amounts, amounts, units, (one, other, unit) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        const [shorter, longer] = [decimalText(less, unit), decimalText(more, unit)];
        expect(shorter.length < longer.length || (shorter.length === longer.length && shorter <= longer)).toBe(true);
      }),
    );
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1])(
    'is refused for %d, which is no amount in minor units',
    (amount) => {
      expect(() => decimalText(amount, BRL)).toThrow(RangeError);
    },
  );

  test('with more digits of units than its format takes is refused, in writing as in reading', () => {
    const format = { unitDigitsMax: 10 };
    expect(decimalText(999_999_999_999, BRL, format)).toBe('9999999999.99');
    expect(() => decimalText(1_000_000_000_000, BRL, format)).toThrow(RangeError);
    expect(parseDecimal('9999999999.99', BRL, format)).toBe(999_999_999_999);
    expect(parseDecimal('10000000000.00', BRL, format)).toBeUndefined();
    expect(parseDecimal('00000000001.00', BRL, format)).toBeUndefined();
  });
});

describe('a decimal number in JSON', () => {
  test.each([
    [0n, '0'],
    [1n, '0.01'],
    [10n, '0.1'],
    [1990n, '19.9'],
    [100n, '1'],
    [-5n, '-0.05'],
    [-123_456n, '-1234.56'],
    [9_007_199_254_740_991n, '90071992547409.91'],
  ])('of %s cents is written %s, in the shortest form', (cents, text) => {
    expect(JSON.stringify(decimalNumber(cents, BRL))).toBe(text);
  });

  test('read back digit by digit is the amount it was, whatever the unit and the sign', () => {
    const signed = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
    fc.assert(
      fc.property(signed, units, (amount, unit) => {
        const [whole = '', decimals = ''] = JSON.stringify(decimalNumber(amount, unit)).split('.');
        expect(BigInt(whole + decimals.padEnd(unit.exponent, '0'))).toBe(amount);
      }),
    );
  });

  test('has the digits of its amount, where a float would have lost one', () => {
    const cents = 9_007_199_254_740_993n;
    expect(JSON.stringify({ amount: decimalNumber(cents, BRL) })).toBe('{"amount":90071992547409.93}');
    expect(JSON.stringify({ amount: 0.1 + 0.2 })).not.toBe('{"amount":0.3}');
    expect(JSON.stringify({ amount: decimalNumber(30n, BRL) })).toBe('{"amount":0.3}');
  });
});

describe('reading decimal text', () => {
  test.each([
    ['19.9', 1_990],
    ['19.90', 1_990],
    ['67.56', 6_756],
    ['0.29', 29],
    ['1', 100],
    ['0', 0],
    ['007.50', 750],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('%s is %i cents', (text, cents) => {
    expect(parseDecimal(text, BRL)).toBe(cents);
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
    '1\n',
    '1.',
    '.5',
    '',
    'NaN',
    '0x10',
    '1_000',
    '1.000.00',
    '٣',
    '90071992547409.92',
    '000000000000000000001',
  ])('%j is no amount', (text) => {
    expect(parseDecimal(text, BRL)).toBeUndefined();
  });

  test.each(['19.9', '19', '19.'])('%j is no amount where all decimals are asked for', (text) => {
    expect(parseDecimal(text, BRL, all)).toBeUndefined();
  });

  test('takes any text for an amount or for nothing, and an amount has only one value', () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^[0-9]{1,22}(\.[0-9]{0,9})?$/));
    fc.assert(
      fc.property(texts, units, (text, unit) => {
        const read = parseDecimal(text, unit);
        if (read === undefined) return;
        const written = decimalText(read, unit);
        const padded = text.includes('.') ? text.padEnd(text.indexOf('.') + 1 + unit.exponent, '0') : text;
        const shortest = padded.replace(/^0+(?=[0-9])/, '');
        expect(written.startsWith(shortest)).toBe(true);
        expect(written.slice(shortest.length)).toMatch(/^\.?0*$/);
      }),
    );
  });
});
