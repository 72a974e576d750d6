import { z } from 'zod';
import { environmentSchema, requestText } from '@gateway/contracts/values';
import { currencySchema } from '@gateway/money';
import { isoTime, minorUnits, recordId, text, unixSeconds } from '#src/shared/members.ts';
import { csvQuery, pageLimit } from '#src/shared/page-query.ts';

/** Query of `GET /ops/accounts/{id}/activity`. */
export const activityQuerySchema = z.strictObject({
  limit: pageLimit,
  cursor: requestText(1, 400).optional().describe('`next_cursor` of the page before.'),
  environment: environmentSchema.optional().describe('Only records of this environment.'),
  ...csvQuery,
});

const servicesAway = (what: string) => z.array(z.string()).meta({ description: what, examples: [[]] });

/** Query of `GET /ops/search`. */
export const searchQuerySchema = z.strictObject({
  q: requestText(1, 120).describe(
    'An id, a reference at a provider, an end-to-end id, the id of a return, a document, a key, an external_id, or the name ' +
      'of an account.',
  ),
  environment: environmentSchema.optional().describe('Only records of this environment.'),
});

const foundKindSchema = z
  .enum(['account', 'deposit', 'payout', 'refund', 'orphan_receipt', 'dispute', 'conversion', 'webhook', 'delivery'])
  .meta({ id: 'FoundKind', description: 'The kinds of record that a search finds.' });

/** One record that a search has found. */
export const foundResourceSchema = z
  .object({
    kind: foundKindSchema.describe('Which kind of record it is.'),
    id: text('Its id, which its own route reads.', 'dep_01k9z3m4v6t8x0a2c4e6g8jk01'),
    account_id: recordId('account', 'The account whose it is.'),
    account_name: text('The name of that account.', 'Loja Um').nullable(),
    environment: environmentSchema.nullable().describe('Its environment; null for an account, which has both.'),
    status: text('Its state, as its own route shows it.', 'PAID').nullable(),
    amount_cents: minorUnits('Its amount; of a conversion what was given.').nullable(),
    amount: minorUnits('The same as `amount_cents`.').nullable(),
    currency: currencySchema.nullable().describe('The currency of the amount.'),
    created_at: unixSeconds('When it was created.'),
    matched: text('By what it was found.', 'e2e_id'),
  })
  .meta({ id: 'FoundRecord', description: 'A record that a search has found.' });
export type FoundResource = z.infer<typeof foundResourceSchema>;

/** Answer of `GET /ops/search`. */
export const searchAnswerSchema = z
  .object({
    data: z.array(foundResourceSchema).describe('At most 20 of a kind, newest first within a kind.'),
    incomplete: servicesAway('Services that did not answer: what they have is missing.'),
  })
  .meta({ id: 'SearchAnswer', description: 'What a search has found.' });

/** One record of an account, of any kind. */
export const activityResourceSchema = foundResourceSchema
  .omit({ account_name: true, matched: true })
  .meta({ id: 'ActivityRecord', description: 'A record of an account, as a list of all kinds shows it.' });

/** Answer of `GET /ops/accounts/{id}/activity`. */
export const activityAnswerSchema = z
  .object({
    data: z.array(activityResourceSchema).describe('The records of the page, newest first.'),
    next_cursor: z
      .string()
      .nullable()
      .describe('The cursor of the next page; null on the last one.')
      .meta({ examples: [null] }),
    incomplete: servicesAway('Services that did not answer: what they have is missing.'),
  })
  .meta({ id: 'ActivityPage', description: 'What an account has done.' });

/** One event in the life of a record. */
export const timelineEventSchema = z
  .object({
    at: isoTime('When it happened.'),
    kind: z
      .enum(['state', 'ledger', 'provider', 'webhook', 'operator'])
      .describe('Who or what it was; `webhook` is a delivery to a webhook or to the callback URL.'),
    what: text('What happened, in a word of its own route.', 'PAID'),
    id: text(
      'The record of it: an entry, a refund, a dispute, a delivery, a row of the audit.',
      'led_01k9z3m4v6t8x0a2c4e6g8jk01',
    ).nullable(),
    amount_cents: minorUnits('The amount of it, signed for entries of the ledger.', 1_940).nullable(),
    currency: currencySchema.nullable().describe('The currency of the amount.'),
    by: text('The operator who did it.', 'ana').nullable(),
  })
  .meta({ id: 'TimelineEvent', description: 'One event in the life of a record.' });
export type TimelineEvent = z.infer<typeof timelineEventSchema>;

/** Answer of `GET /ops/{noun}/{id}/timeline`. */
export const timelineAnswerSchema = z
  .object({
    data: z.array(timelineEventSchema).describe('The events, oldest first.'),
    incomplete: servicesAway('Services that did not answer within 800 ms: what they know is missing.'),
  })
  .meta({ id: 'TimelineAnswer', description: 'What happened to a record.' });
