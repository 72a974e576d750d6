import { z } from 'zod';
import { quoteSchema, rateTextSchema, conversionSchema } from '@gateway/contracts/conversions';
import { environmentSchema } from '@gateway/contracts/values';
import { currencySchema } from '@gateway/money';
import { minorUnits, objectName, recordId, text, unixSeconds } from '#src/shared/members.ts';

const exchange = {
  from: currencySchema.describe('The currency that is given.'),
  to: currencySchema.describe('The currency that is got.'),
  from_amount: minorUnits('What is given, in `from`.', 10_000),
  to_amount: minorUnits('What is got, in `to`, rounded down by less than one unit.', 1_847),
  rate: rateTextSchema.meta({
    description: 'Units of `from` for one unit of `to`, with 8 decimals.',
    examples: ['5.41230000'],
  }),
  environment: environmentSchema.describe('The environment of the key.'),
  created_at: unixSeconds('When it was made.', 1_767_000_010),
};

/** A quote (api.md 3); the same in every contract. */
export const quoteResourceSchema = z
  .object({
    id: recordId('quote', 'The id of the quote.'),
    object: objectName('quote'),
    status: quoteSchema.shape.status
      .unwrap()
      .describe('`ACTIVE` until it is used or ends; `USED` serves no second conversion; `EXPIRED` serves none.'),
    ...exchange,
    expires_at: unixSeconds('Until when it can be used.', 1_767_000_040),
  })
  .meta({ id: 'Quote', description: 'A rate that is held for 30 seconds.' });

/** A conversion (api.md 3); the same in every contract. */
export const conversionResourceSchema = z
  .object({
    id: recordId('conversion', 'The id of the conversion.'),
    object: objectName('conversion'),
    external_id: text("The merchant's own reference, from the creating call.", 'treasury-7'),
    quote_id: recordId('quote', 'The quote it was made at; null at the rate of the moment.').nullable(),
    status: conversionSchema.shape.status.describe('Always `COMPLETED`: what cannot be completed leaves no record.'),
    ...exchange,
  })
  .meta({ id: 'Conversion', description: 'An exchange of one balance into another.' });
