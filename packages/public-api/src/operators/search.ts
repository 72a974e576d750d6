import { z } from 'zod';
import { environmentSchema, requestText } from '@gateway/contracts/values';
import { currencySchema } from '@gateway/money';

/** Query of `GET /ops/search`. */
export const searchQuerySchema = z.strictObject({
  q: requestText(1, 120).describe(
    'an id, a reference at a provider, an end-to-end id, the id of a return, a document, a key, an external_id, or the name of an account',
  ),
  environment: environmentSchema.optional().describe('records of one environment alone'),
});

const foundKindSchema = z.enum(['account', 'deposit', 'payout', 'refund', 'orphan_receipt', 'dispute', 'conversion']);

/** One record that a search has found. */
export const foundResourceSchema = z.object({
  kind: foundKindSchema.describe('what it is'),
  id: z.string().describe('its id, which its own route reads'),
  account_id: z.string().describe('whose it is'),
  account_name: z.string().nullable().describe('the name of that account'),
  environment: environmentSchema.nullable().describe('null for an account, which has both'),
  status: z.string().nullable().describe('as its own route shows it'),
  amount_cents: z.int().nullable().describe('minor units; of a conversion what was given'),
  currency: currencySchema.nullable().describe('the currency of the amount'),
  created_at: z.int().describe('Unix seconds'),
  matched: z.string().describe('by what it was found'),
});
export type FoundResource = z.infer<typeof foundResourceSchema>;

/** Answer of `GET /ops/search`. */
export const searchAnswerSchema = z.object({
  data: z.array(foundResourceSchema).describe('at most 20 of a kind, newest first within a kind'),
  incomplete: z.array(z.string()).describe('services that did not answer: what they have is missing'),
});

/** One event in the life of a record. */
export const timelineEventSchema = z.object({
  at: z.string().describe('ISO 8601 UTC'),
  kind: z.enum(['state', 'ledger', 'provider', 'operator']).describe('who or what it was'),
  what: z.string().describe('what happened, in a word of its own route'),
  id: z.string().nullable().describe('the record of it: an entry, a refund, a dispute, a row of the audit'),
  amount_cents: z.int().nullable().describe('minor units, signed for entries of the ledger'),
  currency: currencySchema.nullable().describe('the currency of the amount'),
  by: z.string().nullable().describe('the operator'),
});
export type TimelineEvent = z.infer<typeof timelineEventSchema>;

/** Answer of `GET /ops/{noun}/{id}/timeline`. */
export const timelineAnswerSchema = z.object({
  data: z.array(timelineEventSchema).describe('oldest first'),
  incomplete: z.array(z.string()).describe('services that did not answer: what they know is missing'),
});
