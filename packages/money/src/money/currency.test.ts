import { describe, expect, test } from 'vitest';
import {
  currencies,
  currencySchema,
  moves,
  paymentMethodSchema,
  type Currency,
  type PaymentMethod,
} from '#src/money/currency.ts';

/** Written a second time (api.md 1 and 3): a change of a currency has to be meant. */
const rails: Readonly<Record<Currency, readonly PaymentMethod[]>> = { BRL: ['PIX'], MXN: ['SPEI'], USDT: [] };
const conversions = { BRL: ['USDT'], MXN: ['USDT'], USDT: [] };

test('the currencies are reais, pesos and USDT, the rails PIX and SPEI, and nothing else is read as one', () => {
  expect(currencySchema.options).toEqual(Object.keys(rails));
  expect(paymentMethodSchema.options).toEqual(['PIX', 'SPEI']);
  for (const text of ['', 'brl', 'USD']) expect(currencySchema.safeParse(text).success).toBe(false);
});

describe.each(currencySchema.options)('%s', (currency) => {
  test('moves on its own rails and on no other', () => {
    expect(currencies[currency].paymentMethods).toEqual(rails[currency]);
    for (const method of paymentMethodSchema.options) {
      expect(moves(currency, method)).toBe(rails[currency].includes(method));
    }
  });

  test('is converted into what the interface offers alone', () => {
    expect(currencies[currency].convertsTo).toEqual(conversions[currency]);
  });

  test('is requested from one minor unit up to a billion whole ones', () => {
    const { exponent, amountMin, amountMax } = currencies[currency];
    expect({ exponent, amountMin, amountMax }).toEqual({ exponent: 2, amountMin: 1, amountMax: 100_000_000_000 });
  });
});
