import { z } from 'zod';
import { externalIdSchema, requestText } from '@gateway/contracts/values';
import type { createConversion, createQuote } from '@gateway/contracts/conversions';
import type { RequestOf } from '@gateway/contracts/messages';
import { amountSchema } from '@gateway/money';
import { absent, describedAs } from '#src/shared/described-form.ts';
import { requestCurrencySchema, requireCurrency } from '#src/shared/request-currency.ts';

const pairMembers = {
  from: requestCurrencySchema.describe('The currency that is given.'),
  to: requestCurrencySchema.describe('The currency that is got: USDT.'),
};

const quoteBodySchema = z
  .strictObject({
    ...pairMembers,
    amount: amountSchema.nullish(),
    target_amount: amountSchema.nullish(),
  })
  .refine(({ amount, target_amount }) => (amount ?? null) === null || (target_amount ?? null) === null, {
    path: ['target_amount'],
    message: 'must not be there together with amount',
  })
  .refine(({ amount, target_amount }) => (amount ?? target_amount ?? null) !== null, {
    path: ['amount'],
    message: 'or target_amount is required',
  });

/** Body of `POST /v1/quotes` (api.md 3). */
export const quoteRequestSchema = describedAs(
  quoteBodySchema,
  z
    .union([
      z
        .strictObject({
          ...pairMembers,
          amount: amountSchema.describe('What is given, in `from`.'),
          target_amount: absent('The rate says what is got.'),
        })
        .meta({ id: 'QuoteOfGivenAmount', description: 'An amount that is given.' }),
      z
        .strictObject({
          ...pairMembers,
          target_amount: amountSchema.describe('What is to be got, in `to`.'),
          amount: absent('The rate says what is given.'),
        })
        .meta({ id: 'QuoteOfTargetAmount', description: 'An amount that is to be got.' }),
    ])
    .meta({
      id: 'QuoteCreate',
      description: 'What is to be exchanged: an amount that is given, or one that is to be got.',
    }),
);
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

const reference = externalIdSchema.describe('Your reference; a second call with it answers with the same conversion.');

const conversionBodySchema = z
  .strictObject({
    external_id: reference,
    quote_id: requestText(1, 64).nullish(),
    from: requestCurrencySchema.nullish(),
    to: requestCurrencySchema.nullish(),
    amount: amountSchema.nullish(),
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
  });

/** Body of `POST /v1/conversions`: at a quote, or at the rate of the moment (api.md 3). */
export const conversionRequestSchema = describedAs(
  conversionBodySchema,
  z
    .union([
      z
        .strictObject({
          external_id: reference,
          quote_id: requestText(1, 64).describe('The quote to use.'),
          from: absent("The quote's."),
          to: absent("The quote's."),
          amount: absent("The quote's."),
        })
        .meta({ id: 'QuotedConversion', description: 'An exchange at a quote.' }),
      z
        .strictObject({
          external_id: reference,
          ...pairMembers,
          amount: amountSchema.describe('What is given, in `from`.'),
          quote_id: absent('Without a quote.'),
        })
        .meta({ id: 'MarketConversion', description: 'An exchange at the rate of the moment.' }),
    ])
    .meta({ id: 'ConversionCreate', description: 'An exchange at a quote, or at the rate of the moment.' }),
);
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
