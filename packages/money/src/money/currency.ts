import { z } from 'zod';

export const currencySchema = z.enum(['BRL', 'MXN', 'USDT']);
export type Currency = z.infer<typeof currencySchema>;

/** A payment rail: how money of a currency enters and leaves. */
export const paymentMethodSchema = z.enum(['PIX', 'SPEI']);
export type PaymentMethod = z.infer<typeof paymentMethodSchema>;

/** Largest amount of any request in whole units: one billion (api.md 1). */
const wholeUnitsMax = 1_000_000_000;

interface CurrencyFacts {
  /** Decimal places of the smallest unit: BRL 2 means an amount of 1 is one centavo. */
  readonly exponent: number;
  /** The rails it moves on, the usual one first; none for a currency that is only held and changed. */
  readonly paymentMethods: readonly PaymentMethod[];
  /** What a balance of it can be changed into (api.md 3). */
  readonly convertsTo: readonly Currency[];
  /** Bounds of a requested amount, in the smallest unit. */
  readonly amountMin: number;
  readonly amountMax: number;
}

/** The one place that knows a currency; everything else asks here (api.md 1 and 3). */
export const currencies: Readonly<Record<Currency, CurrencyFacts>> = {
  BRL: { ...ofExponent(2), paymentMethods: ['PIX'], convertsTo: ['USDT'] },
  MXN: { ...ofExponent(2), paymentMethods: ['SPEI'], convertsTo: ['USDT'] },
  USDT: { ...ofExponent(2), paymentMethods: [], convertsTo: [] },
};

function ofExponent(exponent: number) {
  return { exponent, amountMin: 1, amountMax: wholeUnitsMax * 10 ** exponent };
}

interface PaymentMethodFacts {
  /** How a payer pays: by a code that is shown, or on a page that the payer is sent to. */
  readonly flow: 'QR' | 'REDIRECT';
  readonly chargeType: 'pix' | 'spei';
  /** The key types that name a destination on this rail. */
  readonly payoutKeyTypes: readonly string[];
}

/** The one place that knows a rail. */
export const paymentMethods = {
  PIX: { flow: 'QR', chargeType: 'pix', payoutKeyTypes: ['cpf', 'cnpj', 'email', 'phone', 'random'] },
  SPEI: { flow: 'REDIRECT', chargeType: 'spei', payoutKeyTypes: ['clabe'] },
} as const satisfies Record<PaymentMethod, PaymentMethodFacts>;

/** True when the currency moves on that rail. */
export function moves(currency: Currency, paymentMethod: PaymentMethod): boolean {
  return currencies[currency].paymentMethods.includes(paymentMethod);
}
