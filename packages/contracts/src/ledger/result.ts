import { z } from 'zod';
import { currencySchema, minorUnitsSchema } from '@gateway/money';
import { commandIdSchema } from '#src/ledger/command-id.ts';
import { chainLinkSchema } from '#src/ledger/seen.ts';

/** The buckets of one merchant balance (spec 2.3), in minor units. */
export const balanceSchema = z.object({
  currency: currencySchema,
  available: minorUnitsSchema,
  pending: minorUnitsSchema,
  blocked: minorUnitsSchema,
});
export type Balance = z.infer<typeof balanceSchema>;

/** As far as it is known: of a moment in the past only `available` is, which has entries. */
export const knownBalanceSchema = balanceSchema.extend({
  pending: minorUnitsSchema.nullable(),
  blocked: minorUnitsSchema.nullable(),
});
export type KnownBalance = z.infer<typeof knownBalanceSchema>;

/** Null where a part of it is not known. */
export function totalOf({ available, pending, blocked }: Omit<KnownBalance, 'currency'>): number | null {
  return pending === null || blocked === null ? null : available + pending + blocked;
}

/**
 * Why the ledger refuses, in the fixed order in which the rules are checked.
 * - `invalid_command`: the message is no command of this ledger (`field` names the first member at fault); it is kept
 *   as a dead letter, and no result is stored under its id.
 * - `unknown_provider`: the provider is not registered at the ledger; not stored either, so that the same command is decided
 *   once it has been.
 * - `unknown_reference`: the account has no such deposit, payout, refund or dispute.
 * - `currency_mismatch`: the referenced record has another currency, or a conversion has one currency on both sides.
 * - `exceeds_reference`: the amount does not fit what is left of the referenced record.
 * - `invalid_state`: the referenced record has moved on.
 * - `deadline_passed`: it is too late for what was agreed.
 * - `insufficient_funds`: a bucket would become negative.
 * - `balance_overflow`: a balance would leave the safe integers.
 */
export const ledgerRefusals = [
  'invalid_command',
  'unknown_provider',
  'unknown_reference',
  'currency_mismatch',
  'exceeds_reference',
  'invalid_state',
  'deadline_passed',
  'insufficient_funds',
  'balance_overflow',
] as const;
export type LedgerRefusal = (typeof ledgerRefusals)[number];

/**
 * The one answer to a command id, now and forever.
 * - `applied`: the postings are committed.
 * - `refused`: nothing was written but this result; the id stays refused.
 * - `conflict`: the id was used before with another body; `field` names the first member that differs. The earlier
 *   result stands.
 */
export const ledgerResultSchema = z.object({
  commandId: commandIdSchema,
  outcome: z.enum(['applied', 'refused', 'conflict']),
  refusal: z.enum(ledgerRefusals).nullable(),
  field: z.string().nullable(),
  /** Balances of the merchant's touched currencies right after the command. */
  balances: z.array(balanceSchema),
  /**
   * Amounts the ledger itself decided, by name: `blocked` (block-dispute), `extended` (extend-dispute), `released`
   * (release-dispute), `returned`, `shortfall` and `released` (return-dispute), `debited` and `shortfall`
   * (redebit-payout, redebit-refund).
   */
  amounts: z.record(z.string(), minorUnitsSchema),
  /** True when the command had been decided before and this is the stored result. */
  replayed: z.boolean(),
  /** Where the decision stands in the chain; null where nothing is stored under the id, and from an older ledger. */
  link: chainLinkSchema.nullable().default(null),
});
export type LedgerResult = z.infer<typeof ledgerResultSchema>;
