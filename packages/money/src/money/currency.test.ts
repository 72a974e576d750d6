import { describe, expect, test } from 'vitest';
import { currencies, currencySchema } from '#src/money/currency.ts';

/** Written a second time (api.md 3): a change of a currency has to be meant. */
const conversions = { BRL: ['USDT'], MXN: ['USDT'], USDT: [] };

test('the currencies are reais, pesos and USDT, and nothing else is read as one', () => {
  expect(currencySchema.options).toEqual(Object.keys(conversions));
  for (const text of ['', 'brl', 'USD']) expect(currencySchema.safeParse(text).success).toBe(false);
});

describe.each(currencySchema.options)('%s', (currency) => {
  test('is converted into what the interface offers alone', () => {
    expect(currencies[currency].convertsTo).toEqual(conversions[currency]);
  });

  test('is requested from one minor unit up to a billion whole ones', () => {
    const { exponent, amountMin, amountMax } = currencies[currency];
    expect({ exponent, amountMin, amountMax }).toEqual({ exponent: 2, amountMin: 1, amountMax: 100_000_000_000 });
  });
});
