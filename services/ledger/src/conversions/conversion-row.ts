import type { Conversion, Quote } from '@gateway/contracts/conversions';
import { type Environment, unixSeconds } from '@gateway/contracts/values';
import type { Currency } from '@gateway/money';

/** A priced exchange, as quotes and conversions store it. */
export interface Exchange {
  readonly from: Currency;
  readonly to: Currency;
  /** Minor units. */
  readonly fromAmount: number;
  readonly toAmount: number;
  readonly rate: string;
}

export interface ConversionRow extends Exchange {
  readonly id: string;
  readonly environment: Environment;
  readonly accountId: string;
  readonly externalId: string;
  readonly quoteId: string | null;
  readonly state: 'CONVERTING' | 'COMPLETED';
  /** The ledger decides it before then or not at all; null for one from before there was a limit. */
  readonly notAfter: Date | null;
  /** Of a live one: the order that bought its USDT. */
  readonly coveredBy: string | null;
  readonly createdAt: Date;
}

export interface QuoteRow extends Exchange {
  readonly id: string;
  readonly environment: Environment;
  readonly accountId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const exchangeColumns = `from_currency as "from", to_currency as "to", from_amount as "fromAmount",
  to_amount as "toAmount", rate`;

export const conversionColumns = `id, environment, account_id as "accountId", external_id as "externalId",
  quote_id as "quoteId", state, not_after as "notAfter", covered_by as "coveredBy", ${exchangeColumns}, created_at as "createdAt"`;

export const quoteColumns = `id, environment, account_id as "accountId", ${exchangeColumns},
  created_at as "createdAt", expires_at as "expiresAt"`;

/** @throws Error for a conversion that is not completed: merchants do not see it yet */
export function toConversion({ state, createdAt, notAfter: _notAfter, ...members }: ConversionRow): Conversion {
  if (state !== 'COMPLETED') throw new Error(`conversion ${members.id} is not completed`);
  return { ...members, status: state, createdAt: unixSeconds(createdAt) };
}

export function toQuote({ createdAt, expiresAt, ...members }: QuoteRow, status: Quote['status']): Quote {
  return { ...members, status, createdAt: unixSeconds(createdAt), expiresAt: unixSeconds(expiresAt) };
}
