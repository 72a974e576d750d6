import { z } from 'zod';

/**
 * Who says that money moved, each from a source of its own, so that one fault is not on two sides:
 * - `P`: a line of the provider's statement or of an imported file;
 * - `R`: a payment, refund, payout or return in the records of deposits and payouts;
 * - `L`: a result of the ledger with a posting on the account of a provider;
 * - `W`: a delivery of an event about the record to its merchant.
 */
export const sideSchema = z.enum(['P', 'R', 'L', 'W']);
export type Side = z.infer<typeof sideSchema>;

/**
 * What an item is about. A line whose statement does not say is `other`; a line that settles many others is a `batch`,
 * whose parts must add up to it. Two kinds have no line and are compared between records and ledger alone: `refunded` is what
 * a deposit says has gone back by refunds, and `clearing` what an account that has to drain holds for a record: money of
 * payouts in transit, receipts that belong to no deposit, disputes that are open.
 */
export const itemKindSchema = z.enum([
  'payment',
  'refund',
  'payout',
  'payout_return',
  'dispute_return',
  'dispute_overturn',
  'provider_fee',
  'own_transfer',
  'batch',
  'refunded',
  'clearing',
  'other',
]);
export type ItemKind = z.infer<typeof itemKindSchema>;

/**
 * How far a match is explained:
 * - `waiting`: a side is missing or differs, and its time has not run out;
 * - `matched`: every side that has to be there is, with the same amount;
 * - `unexplained`: the time has run out; there is an exception for it;
 * - `proposed`: an operator has proposed how the exception is resolved;
 * - `resolved`: another operator has approved that.
 */
export const matchStateSchema = z.enum(['waiting', 'matched', 'unexplained', 'proposed', 'resolved']);
export type MatchState = z.infer<typeof matchStateSchema>;

/** The key by which a line was found to belong to a record; `people`: two operators decided it. */
export const matchRuleSchema = z.enum(['e2e_id', 'return_id', 'our_ref', 'people']);
export type MatchRule = z.infer<typeof matchRuleSchema>;
