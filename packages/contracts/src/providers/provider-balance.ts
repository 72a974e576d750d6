import { z } from 'zod';
import { currencySchema, minorUnitsSchema } from '@gateway/money';

/**
 * Money that is on its way, so that provider and ledger need not say the same of it yet: the provider may hold between
 * `atLeast` and `atMost` more than is booked there, in minor units.
 */
export const moneyInFlightSchema = z.object({
  provider: z.string(),
  currency: currencySchema,
  what: z.enum([
    'payouts_under_way',
    'payout_returns_to_credit',
    'payments_to_credit',
    'transfers_gathered',
    'refunds_under_way',
    'refunds_to_debit_again',
    'receipts_to_send_back',
    'disputes_to_settle',
    'dispute_shortfalls',
  ]),
  atLeast: minorUnitsSchema,
  atMost: minorUnitsSchema,
});
export type MoneyInFlight = z.infer<typeof moneyInFlightSchema>;

/** What a live provider says it holds for us, beside what the ledger says. Amounts in minor units, times in Unix seconds. */
export const providerBalanceSchema = z.object({
  provider: z.string(),
  currency: currencySchema,
  /** By the provider: what can be spent and what is blocked. Null while it has not been asked with success. */
  held: minorUnitsSchema.nullable(),
  /** By the ledger: what came in through the provider and has not left through it. */
  booked: minorUnitsSchema.nullable(),
  /** Our own money there, which the ledger knows nothing of; null until the first comparison has found it. */
  ownFunds: minorUnitsSchema.nullable(),
  inFlight: z.array(moneyInFlightSchema.omit({ provider: true, currency: true })),
  /** What nothing explains: more than zero when the provider holds more. */
  difference: minorUnitsSchema.nullable(),
  differsSince: z.int().nullable(),
  /** Of the last comparison that came about; the first attempt while there is none. */
  comparedAt: z.int(),
  /** Why the last attempt came to nothing. */
  problem: z.string().nullable(),
});
export type ProviderBalance = z.infer<typeof providerBalanceSchema>;
