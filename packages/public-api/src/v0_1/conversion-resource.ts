import { z } from 'zod';
import { rateTextSchema, type Quote, conversionSchema, type Conversion } from '@gateway/contracts/conversions';
import { environmentSchema } from '@gateway/contracts/values';
import { currencySchema } from '@gateway/money';

const exchange = {
  from: currencySchema,
  to: currencySchema,
  /** Minor units of `from`: what is given. */
  from_amount: z.int(),
  /** Minor units of `to`: what is got, rounded down by less than one of them. */
  to_amount: z.int(),
  /** Units of `from` for one unit of `to`, with 8 decimals. */
  rate: rateTextSchema,
  environment: environmentSchema,
  /** Unix seconds. */
  created_at: z.int(),
};

/** A quote (api.md 3); the same in every contract. */
export const quoteResourceSchema = z.object({
  id: z.string(),
  object: z.literal('quote'),
  ...exchange,
  /** Unix seconds. */
  expires_at: z.int(),
});

/** A conversion (api.md 3); the same in every contract. */
export const conversionResourceSchema = z.object({
  id: z.string(),
  object: z.literal('conversion'),
  external_id: z.string(),
  quote_id: z.string().nullable(),
  status: conversionSchema.shape.status,
  ...exchange,
});

export function presentQuote(quote: Quote): z.infer<typeof quoteResourceSchema> {
  return { id: quote.id, object: 'quote', ...presentExchange(quote), expires_at: quote.expiresAt };
}

export function presentConversion(conversion: Conversion): z.infer<typeof conversionResourceSchema> {
  return {
    id: conversion.id,
    object: 'conversion',
    external_id: conversion.externalId,
    quote_id: conversion.quoteId,
    status: conversion.status,
    ...presentExchange(conversion),
  };
}

function presentExchange({ from, to, fromAmount, toAmount, rate, environment, createdAt }: Quote | Conversion) {
  return { from, to, from_amount: fromAmount, to_amount: toAmount, rate, environment, created_at: createdAt };
}
