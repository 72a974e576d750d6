import { z } from 'zod';

export const currencySchema = z.enum(['BRL', 'MXN', 'USDT']);
export type Currency = z.infer<typeof currencySchema>;

/** A payment rail: how money of a currency enters and leaves. */
export const paymentMethodSchema = z.enum(['PIX', 'SPEI']);
export type PaymentMethod = z.infer<typeof paymentMethodSchema>;

export interface CurrencyFacts {
  /** Decimal places of the smallest unit: BRL 2 means an amount of 1 is one centavo. */
  readonly exponent: number;
  readonly paymentMethods: readonly PaymentMethod[];
}

/** The one place that knows a currency; everything else asks here (api.md 1 and 3). */
export const currencies: Readonly<Record<Currency, CurrencyFacts>> = {
  BRL: { exponent: 2, paymentMethods: ['PIX'] },
  MXN: { exponent: 2, paymentMethods: ['SPEI'] },
  USDT: { exponent: 2, paymentMethods: [] },
};
