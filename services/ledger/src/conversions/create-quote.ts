import type { createQuote as contract } from '@gateway/contracts/conversions';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import { priceExchange } from '#src/conversions/price-exchange.ts';
import { toQuote, type QuoteRow } from '#src/conversions/conversion-row.ts';
import type { ConversionDependencies } from '#src/conversions/dependencies.ts';

/** How long a quote may be used (api.md 3). */
export const quoteLifetimeMs = 30_000;

const text = `
  insert into quote (environment, id, account_id, from_currency, to_currency, from_amount, to_amount, rate, created_at,
    expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

export async function createQuote(
  { database, rates, now }: ConversionDependencies,
  { environment, accountId, ...wish }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const exchange = await priceExchange(rates[environment], wish);
  const createdAtMs = now();
  const quote: QuoteRow = {
    id: newId('quote', createdAtMs),
    environment,
    accountId,
    ...exchange,
    createdAt: new Date(createdAtMs),
    // Whole seconds, as it is shown: a quote is usable until the time that its caller sees.
    expiresAt: new Date(Math.floor((createdAtMs + quoteLifetimeMs) / 1_000) * 1_000),
  };
  await database.query(text, [
    ...[environment, quote.id, accountId, quote.from, quote.to, quote.fromAmount, quote.toAmount, quote.rate],
    ...[quote.createdAt, quote.expiresAt],
  ]);
  return { quote: toQuote(quote, 'ACTIVE') };
}
