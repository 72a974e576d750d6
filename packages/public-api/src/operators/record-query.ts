import type { z } from 'zod';
import { environmentSchema, requestText, type RecordFilter } from '@gateway/contracts/values';
import { currencySchema, idSchema } from '@gateway/money';
import { amountRange } from '#src/shared/page-query.ts';
import { secondsOfPeriod, secondsPeriodQuery } from '#src/shared/time-query.ts';

/** How operators find records of all accounts; each filter that is given has to hold. */
export const recordQuery = {
  account_id: idSchema('account').optional().describe('Only records of this account.'),
  environment: environmentSchema.optional().describe('Only records of this environment.'),
  currency: currencySchema.optional().describe('Only records in this currency.'),
  provider: requestText(1, 40).optional().describe('Only records at this provider, as `GET /ops/providers` names it.'),
  external_id: requestText(1, 120).optional().describe('Only records with this reference of the merchant.'),
  e2e_id: requestText(1, 64).optional().describe('Only the record with this end-to-end id of the payment on the rail.'),
  ...secondsPeriodQuery,
  ...amountRange,
};

/** Lists without one of the filters have no such member. */
type RecordQuery = Partial<z.output<z.ZodObject<typeof recordQuery>>> & { readonly zone: string };

/** The filter under the names of the services. What is left out of the query is left out of it. */
export function recordFilterOf(query: RecordQuery): RecordFilter {
  return {
    environment: query.environment,
    accountId: query.account_id,
    currency: query.currency,
    provider: query.provider,
    externalId: query.external_id,
    e2eId: query.e2e_id,
    ...secondsOfPeriod(query),
    minAmount: query.min_amount,
    maxAmount: query.max_amount,
  };
}
