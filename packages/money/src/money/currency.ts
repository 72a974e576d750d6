import { z } from 'zod';

export const currencySchema = z.enum(['BRL', 'MXN', 'USDT']).meta({
  id: 'Currency',
  description: 'An ISO 4217 code, or USDT, which has two decimals here.',
});
export type Currency = z.infer<typeof currencySchema>;

/** Largest amount of any request in whole units: one billion (api.md 1). */
const wholeUnitsMax = 1_000_000_000;

interface CurrencyFacts {
  /** Decimal places of the smallest unit: BRL 2 means an amount of 1 is one centavo. */
  readonly exponent: number;
  /** What a balance of it can be changed into (api.md 3). */
  readonly convertsTo: readonly Currency[];
  /** Bounds of a requested amount, in the smallest unit. */
  readonly amountMin: number;
  readonly amountMax: number;
}

/** The one place that knows a currency; everything else asks here (api.md 1 and 3). How it moves is in `rails`. */
export const currencies: Readonly<Record<Currency, CurrencyFacts>> = {
  BRL: { ...ofExponent(2), convertsTo: ['USDT'] },
  MXN: { ...ofExponent(2), convertsTo: ['USDT'] },
  USDT: { ...ofExponent(2), convertsTo: [] },
};

function ofExponent(exponent: number) {
  return { exponent, amountMin: 1, amountMax: wholeUnitsMax * 10 ** exponent };
}
