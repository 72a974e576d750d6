import { z } from 'zod';
import { totalOf, type KnownBalance } from '@gateway/contracts/ledger';
import { currencySchema } from '@gateway/money';

const knownSchema = z.int().nullable().describe('null with `at`: only the available balance is known of the past');
const bucketsSchema = z.object({
  available: z.int(),
  pending: knownSchema,
  blocked: knownSchema,
  total: knownSchema,
});

/** Balances as contract 1.0 shows them (spec 2.3): one member per currency the account has operated, in minor units. */
export const balanceResourceV1Schema = z
  .object(Object.fromEntries(currencySchema.options.map((currency) => [memberOf(currency), bucketsSchema])))
  .partial();

export function presentBalanceV1(balances: readonly KnownBalance[]): z.infer<typeof balanceResourceV1Schema> {
  return Object.fromEntries(
    balances.map(({ currency, available, pending, blocked }) => [
      memberOf(currency),
      { available, pending, blocked, total: totalOf({ available, pending, blocked }) },
    ]),
  );
}

function memberOf(currency: string): string {
  return currency.toLowerCase();
}
