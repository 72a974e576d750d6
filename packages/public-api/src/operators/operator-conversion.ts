import { z } from 'zod';
import type { Conversion } from '@gateway/contracts/conversions';
import { recordQuery } from '#src/operators/record-query.ts';
import { pageQuery } from '#src/shared/page-query.ts';
import { conversionResourceSchema, presentConversion } from '#src/v0_1/conversion-resource.ts';

const { provider: _provider, e2e_id: _e2eId, ...conversionQuery } = recordQuery;

/** Query of `GET /ops/conversions`. */
export const operatorConversionsQuerySchema = z.strictObject({
  ...pageQuery('conversion'),
  ...conversionQuery,
  currency: recordQuery.currency.describe('the currency given or the one received'),
  min_amount: recordQuery.min_amount.describe('minor units of what was given, inclusive'),
  max_amount: recordQuery.max_amount.describe('minor units of what was given, inclusive'),
});

/** A conversion as operators see it. */
export const operatorConversionResourceSchema = conversionResourceSchema.extend({
  account_id: z.string().describe('the account whose conversion it is'),
});

export function presentOperatorConversion(conversion: Conversion): z.infer<typeof operatorConversionResourceSchema> {
  return { ...presentConversion(conversion), account_id: conversion.accountId };
}
