import { z } from 'zod';
import { currencySchema } from '@gateway/money';
import { minorUnits } from '#src/shared/members.ts';

const bucketsSchema = z
  .object({
    available: minorUnits('What can be spent.', 194_000),
    pending: minorUnits('What is retained for some days; null with `at`.', 1_940).nullable(),
    blocked: minorUnits('What disputes hold; null with `at`.', 500).nullable(),
    total: minorUnits('The sum of the three; null with `at`.', 196_440).nullable(),
  })
  .meta({ id: 'BalanceAmounts', description: 'The balance in one currency. Of the past only `available` is known.' });

/** Balances as contract 1.0 shows them (spec 2.3): one member per currency the account has operated, in minor units. */
export const balanceResourceV1Schema = z
  .object(
    Object.fromEntries(
      currencySchema.options.map((currency) => [
        memberOf(currency),
        bucketsSchema.describe(`The balance in ${currency}.`),
      ]),
    ),
  )
  .partial()
  .meta({ id: 'Balance', description: 'The balances of the account: a member per currency that it has operated.' });

function memberOf(currency: string): string {
  return currency.toLowerCase();
}
