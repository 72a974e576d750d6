import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currencies } from '@gateway/money';
import { decimalText, exponents, formatMoney } from '#src/money/format-money.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

test('an amount is shown with the decimals of its currency, its symbol and a true minus sign', () => {
  expect(plain(formatMoney(120_431_055, 'BRL', 'pt-BR'))).toBe('R$ 1.204.310,55');
  expect(plain(formatMoney(-90_150, 'BRL', 'pt-BR'))).toBe('−R$ 901,50');
  expect(plain(formatMoney(-5, 'BRL', 'en'))).toBe('−R$0.05');
  expect(plain(formatMoney(70_000, 'MXN', 'es-MX'))).toBe('$700.00');
  expect(plain(formatMoney(1_847, 'USDT', 'pt-BR'))).toBe('18,47 USDT');
});

test('every amount in minor units is shown to its last digit', () => {
  const safe = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(safe, (minorUnits) => {
      const shown = formatMoney(minorUnits, 'BRL', 'en');
      const read = BigInt(shown.replace('−', '-').replace(/[^\d-]/g, ''));
      return read === BigInt(minorUnits);
    }),
  );
});

test('what is no integer is refused, and never rounded', () => {
  expect(() => decimalText(0.5, 2)).toThrow('not an amount in minor units: 0.5');
  expect(() => decimalText(2 ** 60, 2)).toThrow(RangeError);
  expect(() => formatMoney(1, 'XAU', 'en')).toThrow('unknown currency: XAU');
});

test('the console counts the same decimals as the services', () => {
  const theirs = Object.fromEntries(Object.entries(currencies).map(([name, { exponent }]) => [name, exponent]));
  expect(exponents).toEqual(theirs);
});
