import { z } from 'zod';
import type { Currency } from '#src/money/currency.ts';

/** A payment rail by the name it has in requests and records: how money of a currency enters and leaves. */
export const paymentMethodSchema = z.enum(['PIX', 'SPEI']).meta({
  id: 'PaymentMethod',
  description: '`PIX`: Brazilian reais. `SPEI`: Mexican pesos.',
});
export type PaymentMethod = z.infer<typeof paymentMethodSchema>;

/** What the product has to know of a payment network. Only adapters and the simulator know more of one. */
export interface Rail {
  readonly currency: Currency;
  /** Whose tax documents payers and recipients have (ISO 3166). */
  readonly country: 'BR' | 'MX';
  /** By whose clock payers are shown a time (IANA). */
  readonly timeZone: string;
  readonly charge: {
    /** `charge.type` of contract 1.0 (api.md 3). */
    readonly type: string;
    /** `code`: a text that is scanned or copied, and carries the amount. `account`: an account number to transfer to. */
    readonly kind: 'code' | 'account';
    /** How a payer pays: by a code that is shown, or on a page that the payer is sent to (api.md 3). */
    readonly flow: 'QR' | 'REDIRECT';
  };
  /**
   * `charge`: a payment has the amount of its charge. `payer`: it has any, and one charge may get several transfers, which
   * are gathered until they cover it (api.md 3).
   */
  readonly amountTypedBy: 'charge' | 'payer';
  /** The types of key that name a destination (spec 2.2, api.md 3). */
  readonly payoutKeyTypes: readonly string[];
  /** The rail's own id of a payment. Never a reason to refuse what a provider reports: theirs may differ. */
  readonly paymentIdPattern: RegExp;
  /** The same of money that was sent back. */
  readonly returnIdPattern: RegExp;
}

/** A tracking key (clave de rastreo) of SPEI, which has no other ids (Banxico, SPEI participation rules). */
const trackingKeyPattern = /^[A-Z0-9]{1,29}$/;

/** The one place that knows a rail; everything else asks here. A currency's usual rail stands before its others. */
export const rails = {
  PIX: {
    currency: 'BRL',
    country: 'BR',
    timeZone: 'America/Sao_Paulo',
    charge: { type: 'pix', kind: 'code', flow: 'QR' },
    amountTypedBy: 'charge',
    payoutKeyTypes: ['cpf', 'cnpj', 'email', 'phone', 'random'],
    // Pix API 2.9.0, `EndToEndId` and `RtrId`.
    paymentIdPattern: /^E[0-9A-Z]{8}\d{12}[0-9A-Za-z]{11}$/,
    returnIdPattern: /^D[0-9A-Z]{8}\d{12}[0-9A-Za-z]{11}$/,
  },
  SPEI: {
    currency: 'MXN',
    country: 'MX',
    timeZone: 'America/Mexico_City',
    charge: { type: 'spei', kind: 'account', flow: 'REDIRECT' },
    amountTypedBy: 'payer',
    payoutKeyTypes: ['clabe'],
    paymentIdPattern: trackingKeyPattern,
    returnIdPattern: trackingKeyPattern,
  },
} as const satisfies Record<PaymentMethod, Rail>;

/** The currencies that move on a rail; the others are only held and converted. */
export type RailCurrency = (typeof rails)[PaymentMethod]['currency'];
export const railCurrencies: readonly RailCurrency[] = [
  ...new Set(Object.values(rails).map(({ currency }) => currency)),
];

export type PayoutKeyType = (typeof rails)[PaymentMethod]['payoutKeyTypes'][number];
/** The key types of every rail. */
export const payoutKeyTypes: readonly PayoutKeyType[] = [
  ...new Set(Object.values(rails).flatMap((rail): readonly PayoutKeyType[] => rail.payoutKeyTypes)),
];

/** An amount on a rail: a positive safe integer in minor units. */
export interface RailMoney {
  readonly currency: RailCurrency;
  readonly amount: number;
}

/** The rails a currency moves on, the usual one first; none for a currency that is only held and converted. */
export function railsOf(currency: Currency): readonly PaymentMethod[] {
  return paymentMethodSchema.options.filter((name) => rails[name].currency === currency);
}

/** The usual rail of a currency. */
export function railOf(currency: RailCurrency): PaymentMethod {
  const [usual] = railsOf(currency);
  if (!usual) throw new Error(`${currency} moves on no rail`);
  return usual;
}

/** The currencies that move on some of these rails. */
export function currenciesOn(names: readonly PaymentMethod[]): RailCurrency[] {
  return railCurrencies.filter((currency) => names.some((name) => moves(currency, name)));
}

/** True when the currency moves on that rail. */
export function moves(currency: Currency, rail: PaymentMethod): currency is RailCurrency {
  return rails[rail].currency === currency;
}

/** @throws Error for a currency that moves on no rail */
export function requireRailCurrency(currency: Currency): RailCurrency {
  const known = railCurrencies.find((candidate) => candidate === currency);
  if (!known) throw new Error(`${currency} moves on no rail`);
  return known;
}
