import { z } from 'zod';
import type { Conversion } from '@gateway/contracts/conversions';
import { recordQuery } from '#src/operators/record-query.ts';
import { recordId, text } from '#src/shared/members.ts';
import { pageQuery } from '#src/shared/page-query.ts';
import { conversionResourceSchema } from '#src/v0_1/conversion-resource.ts';
import { presentConversion } from '#src/presenters/v0_1.ts';

/** Query of `GET /ops/conversions`. */
export const operatorConversionsQuerySchema = z.strictObject({
  ...pageQuery('conversion'),
  ...recordQuery,
  provider: recordQuery.provider.describe('No conversion is at a provider: with it the list is empty.'),
  e2e_id: recordQuery.e2e_id.describe('No conversion is a payment on a rail: with it the list is empty.'),
  status: conversionResourceSchema.shape.status.optional().describe('Only conversions in this state.'),
  currency: recordQuery.currency.describe('Only conversions from or to this currency.'),
  min_amount: recordQuery.min_amount.describe('Only conversions that gave at least this amount, in the smallest unit.'),
  max_amount: recordQuery.max_amount.describe('Only conversions that gave at most this amount, in the smallest unit.'),
});

/** A conversion as operators see it. */
export const operatorConversionResourceSchema = conversionResourceSchema
  .extend({
    account_id: recordId('account', 'The account whose conversion it is.'),
    covered_by: text(
      'The order at an exchange that bought its USDT, or `by hand` with the approval; null in test mode, and until it has been bought.',
      'tro_01k9z3m4v6t8x0a2c4e6g8jk0e',
    ).nullable(),
  })
  .meta({ id: 'OperatorConversion', description: 'A conversion as operators see it.' });

export function presentOperatorConversion(conversion: Conversion): z.infer<typeof operatorConversionResourceSchema> {
  const { accountId, coveredBy } = conversion;
  return { ...presentConversion(conversion), account_id: accountId, covered_by: coveredBy };
}
