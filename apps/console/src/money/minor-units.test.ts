import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalText } from '#src/money/format-money.ts';
import { minorUnitsOf, typedMinorUnits } from '#src/money/minor-units.ts';

test('every amount that is written as a decimal is read as it was', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (units) => {
      expect(minorUnitsOf(decimalText(units, 2), 'BRL')).toBe(units === 0 ? 0 : units);
    }),
  );
});

test('what is no amount of the currency is refused', () => {
  for (const text of ['', '1.234', '1,00', 'x', '1e3', '99999999999999999.00'])
    expect(() => minorUnitsOf(text, 'BRL')).toThrow(RangeError);
});

test.each([
  ['1.234,56', 123_456],
  ['1,234.56', 123_456],
  ['R$ 1.234,5', 123_450],
  ['1234', 123_400],
  ['1.234', 123_400],
  ['1.234.567', 123_456_700],
  [',50', 50],
  ['10,', 1_000],
])('an amount that is typed as %s is understood', (text, units) => {
  expect(typedMinorUnits(text, 'BRL')).toBe(units);
});

test('nothing is made of what is no amount above zero', () => {
  for (const text of ['', 'ten', '0', '0,00', '-5,00', '99999999999999999'])
    expect(typedMinorUnits(text, 'BRL')).toBeUndefined();
});
