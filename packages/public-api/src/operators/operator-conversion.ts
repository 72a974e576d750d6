import { z } from 'zod';
import type { Conversion } from '@gateway/contracts/conversions';
import { recordQuery } from '#src/operators/record-query.ts';
import { recordId } from '#src/shared/members.ts';
import { pageQuery } from '#src/shared/page-query.ts';
import { conversionResourceSchema, presentConversion } from '#src/v0_1/conversion-resource.ts';

const { provider: _provider, e2e_id: _e2eId, ...conversionQuery } = recordQuery;

/** Query of `GET /ops/conversions`. */
export const operatorConversionsQuerySchema = z.strictObject({
  ...pageQuery('conversion'),
  ...conversionQuery,
  currency: recordQuery.currency.describe('Only conversions from or to this currency.'),
  min_amount: recordQuery.min_amount.describe('Only conversions that gave at least this amount, in the smallest unit.'),
  max_amount: recordQuery.max_amount.describe('Only conversions that gave at most this amount, in the smallest unit.'),
});

/** A conversion as operators see it. */
export const operatorConversionResourceSchema = conversionResourceSchema
  .extend({ account_id: recordId('account', 'The account whose conversion it is.') })
  .meta({ id: 'OperatorConversion', description: 'A conversion as operators see it.' });

export function presentOperatorConversion(conversion: Conversion): z.infer<typeof operatorConversionResourceSchema> {
  return { ...presentConversion(conversion), account_id: conversion.accountId };
}
