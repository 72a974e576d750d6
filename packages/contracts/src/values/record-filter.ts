import type { z } from 'zod';
import { amountSchema, currencySchema, idSchema } from '@gateway/money';
import { environmentSchema } from '#src/values/environment.ts';
import { listWindow } from '#src/values/list-window.ts';
import { requestText } from '#src/values/request-text.ts';

/**
 * How operators find records that are an account's, and have an amount and a provider; all that is given has to hold. A
 * period is one of when the record was made, and ends before `to`.
 */
export const recordFilter = {
  environment: environmentSchema.optional(),
  accountId: idSchema('account').optional(),
  currency: currencySchema.optional(),
  provider: requestText(1, 40).optional(),
  externalId: requestText(1, 120).optional(),
  /** Of the payment on the rail. */
  e2eId: requestText(1, 64).optional(),
  from: listWindow.from,
  to: listWindow.to,
  /** Minor units, both inclusive. */
  minAmount: amountSchema.optional(),
  maxAmount: amountSchema.optional(),
};

/** A filter as it is asked with, of records that have all that it looks at. */
export type RecordFilter = z.infer<z.ZodObject<typeof recordFilter>>;
