import { z } from 'zod';
import { attentionKindSchema } from '@gateway/contracts/messages';
import { environmentSchema } from '@gateway/contracts/values';
import { idSchema } from '@gateway/money';
import { text, unixSeconds } from '#src/shared/members.ts';

/** Query of `GET /ops/overview`. */
export const overviewQuerySchema = z.strictObject({
  environment: environmentSchema
    .optional()
    .describe('Only what waits in this environment, and what belongs to neither. Both without it.'),
});

/** Query of `GET /ops/stream`. */
export const operatorStreamQuerySchema = z.strictObject({
  environment: environmentSchema.optional().describe('Only what changes in this environment.'),
  account_id: idSchema('account').optional().describe('Only what changes in this account.'),
});

const kindSchema = attentionKindSchema.meta({
  id: 'AttentionKind',
  description:
    '`payout_stuck`, `refund_stuck`, `orphan_receipt_stuck`, `dispute_stuck`: cannot go on by itself. `payout_approval`: ' +
    'waits to be approved. `dispute_due`: wants evidence within 24 hours. `provider_difference`: a provider that holds ' +
    'another sum than is booked. `unread_item`: an item of a provider’s list that could not be read or taken. ' +
    '`exception`: money that is not explained. `approval`: proposed by one operator, for another to decide. ' +
    '`dead_letter`: a message that no service could handle.',
});

/** What waits for an operator, of one kind. */
export const attentionResourceSchema = z
  .object({
    kind: kindSchema.describe('Which work waits.'),
    environment: environmentSchema.nullable().describe('Where it is; null for what belongs to neither.'),
    count: z
      .int()
      .positive()
      .meta({ description: 'How many wait.', examples: [2] }),
    oldest_at: unixSeconds('Since when the oldest of them waits.'),
    list: text('Where they are listed.', '/ops/payouts?attention=true&environment=live'),
  })
  .meta({ id: 'Attention', description: 'What waits for an operator, of one kind.' });
export type AttentionResource = z.infer<typeof attentionResourceSchema>;

/** Answer of `GET /ops/overview`. */
export const overviewAnswerSchema = z
  .object({
    attention: z.array(attentionResourceSchema).describe('What waits longest comes first. Empty when nothing waits.'),
    incomplete: z.array(z.string()).meta({
      description: 'Services that did not answer: what waits there is missing.',
      examples: [[]],
    }),
    as_of: unixSeconds('When it was counted.'),
  })
  .meta({ id: 'OverviewAnswer', description: 'What needs an operator now.' });
