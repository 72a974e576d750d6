import { z } from 'zod';
import { externalIdSchema, requestText } from '@gateway/contracts/values';
import type { createConversion, createQuote } from '@gateway/contracts/conversions';
import type { RequestOf } from '@gateway/contracts/messages';
import { amountSchema } from '@gateway/money';
import { requestCurrencySchema, requireCurrency } from '#src/shared/request-currency.ts';

const pairMembers = {
  from: requestCurrencySchema.describe('The currency that is given.'),
  to: requestCurrencySchema.describe('The currency that is got: USDT.'),
};

/** Body of `POST /v1/quotes` (api.md 3). */
export const quoteRequestSchema = z
  .strictObject({
    ...pairMembers,
    amount: amountSchema.nullish().describe('What is given, in `from`; this or `target_amount`.'),
    target_amount: amountSchema.nullish().describe('What is to be got, in `to`; this or `amount`.'),
  })
  .refine(({ amount, target_amount }) => (amount ?? null) === null || (target_amount ?? null) === null, {
    path: ['target_amount'],
    message: 'must not be there together with amount',
  })
  .refine(({ amount, target_amount }) => (amount ?? target_amount ?? null) !== null, {
    path: ['amount'],
    message: 'or target_amount is required',
  })
  .meta({
    id: 'QuoteCreate',
    description: 'What is to be exchanged: an amount that is given, or one that is to be got.',
  });
export type QuoteRequest = z.infer<typeof quoteRequestSchema>;

/** @throws DomainError CURRENCY_NOT_SUPPORTED */
export function readQuoteRequest(
  request: QuoteRequest,
): Omit<RequestOf<typeof createQuote>, 'environment' | 'accountId'> {
  const { from, to, amount, target_amount: targetAmount } = request;
  const pair = { from: requireCurrency(from), to: requireCurrency(to) };
  if (typeof amount === 'number') return { ...pair, fixed: 'from', amount };
  if (typeof targetAmount === 'number') return { ...pair, fixed: 'to', amount: targetAmount };
  throw new TypeError('the request was not checked by its schema');
}

/** Body of `POST /v1/conversions`: at a quote, or at the rate of the moment (api.md 3). */
export const conversionRequestSchema = z
  .strictObject({
    external_id: externalIdSchema.describe('Your reference; a second call with it answers with the same conversion.'),
    quote_id: requestText(1, 64)
      .nullish()
      .describe('The quote to use; then nothing but `external_id` stands beside it.'),
    from: requestCurrencySchema.nullish().describe('Without a quote: the currency that is given.'),
    to: requestCurrencySchema.nullish().describe('Without a quote: the currency that is got.'),
    amount: amountSchema.nullish().describe('Without a quote: what is given, in `from`.'),
  })
  .superRefine(({ quote_id: quoteId, ...market }, context) => {
    const quoted = typeof quoteId === 'string';
    for (const member of ['from', 'to', 'amount'] as const) {
      const given = (market[member] ?? null) !== null;
      if (given === !quoted) continue;
      const message = quoted
        ? "is the quote's, and must not be there together with quote_id"
        : 'or quote_id is required';
      context.addIssue({ code: 'custom', path: [member], message });
    }
  })
  .meta({
    id: 'ConversionCreate',
    description: 'An exchange at a quote, or at the rate of the moment.',
  });
export type ConversionRequest = z.infer<typeof conversionRequestSchema>;

/** @throws DomainError CURRENCY_NOT_SUPPORTED */
export function readConversionRequest({
  external_id: externalId,
  quote_id: quoteId,
  from,
  to,
  amount,
}: ConversionRequest): Pick<RequestOf<typeof createConversion>, 'externalId' | 'order'> {
  if (typeof quoteId === 'string') return { externalId, order: { kind: 'quoted', quoteId } };
  if (typeof amount !== 'number') throw new TypeError('the request was not checked by its schema');
  return { externalId, order: { kind: 'market', from: requireCurrency(from), to: requireCurrency(to), amount } };
}
