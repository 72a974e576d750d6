import { z } from 'zod';
import type { LedgerWriter } from '@gateway/contracts/ledger';
import {
  attentionKindSchema,
  type messageLagRpc,
  type ReplyOf,
  type ServiceName,
  serviceNames,
} from '@gateway/contracts/messages';
import { environmentSchema } from '@gateway/contracts/values';
import { idSchema } from '@gateway/money';
import { providerResourceSchema } from '#src/operators/provider-resource.ts';
import { reconciliationResourceSchema } from '#src/operators/reconciliation-resource.ts';
import { count, objectName, text, unixSeconds } from '#src/shared/members.ts';
import { totalsResourceSchema } from '#src/shared/totals-resource.ts';

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

const messageLagSchema = z
  .object({
    object: objectName('message_lag'),
    service: z.enum(serviceNames).describe('Which service.'),
    unpublished: count('Its own messages that are not on the bus yet, or that a reader has not read in time.', 0),
    consumers: z
      .array(
        z
          .object({
            consumer: text('The name of the consumer, which the replicas of the service share.', 'webhooks-deposits'),
            stream: text('The stream that it reads.', 'EVENTS_DEPOSITS'),
            waiting: count('Messages that it has not handled; null before they were counted.', 0).nullable(),
          })
          .meta({ id: 'ConsumerLag', description: 'How far a reader of a stream is behind.' }),
      )
      .describe('What it reads of other services. They are counted every 15 seconds.'),
  })
  .meta({ id: 'MessageLag', description: 'How far the messages of a service are behind.' });

const ledgerWriterSchema = z
  .object({
    object: objectName('ledger_writer'),
    environment: environmentSchema.describe('The environment whose balances it writes.'),
    shard: count('Which part of them.', 0),
    writer: text('Host and process of the one that writes; null while none does.', 'ledger-0:7').nullable(),
    since: unixSeconds('Since when it decides; null while it has not begun.').nullable(),
    standbys: count('How many processes would take over.', 1),
    waiting: count('Commands that are stored and not decided; null while the broker does not say.', 0).nullable(),
  })
  .meta({ id: 'LedgerWriter', description: 'The one process that writes a part of the balances.' });

/** Answer of `GET /ops/overview`. */
export const overviewAnswerSchema = z
  .object({
    attention: z.array(attentionResourceSchema).describe('What waits longest comes first. Empty when nothing waits.'),
    totals: totalsResourceSchema
      .nullable()
      .describe(
        'The last 24 hours by the hour, of the environment that is asked for, else of live, as `GET /ops/totals` has them; null ' +
          'for a caller without `balances:read`, and where they are not answered.',
      ),
    providers: z
      .array(providerResourceSchema)
      .nullable()
      .describe('As `GET /ops/providers` has them; null for a caller without `operations:read`.'),
    last_reconciliation: reconciliationResourceSchema
      .nullable()
      .describe(
        'The newest one; null before the first, for a caller without `operations:read`, and where it is not answered.',
      ),
    messages: z
      .array(messageLagSchema)
      .nullable()
      .describe('How far the messages of each service are behind; null for a caller without `operations:read`.'),
    ledger_writers: z
      .array(ledgerWriterSchema)
      .nullable()
      .describe('Who writes the balances of each environment; null for a caller without `operations:read`.'),
    incomplete: z.array(z.string()).meta({
      description: 'Services that did not answer: what they know is missing.',
      examples: [[]],
    }),
    as_of: unixSeconds('When it was counted.'),
  })
  .meta({ id: 'OverviewAnswer', description: 'What needs an operator now, and how the gateway is.' });

export function presentMessageLag(
  service: ServiceName,
  { unpublished, consumers }: ReplyOf<ReturnType<typeof messageLagRpc>>,
): z.infer<typeof messageLagSchema> {
  return { object: 'message_lag', service, unpublished, consumers };
}

export function presentLedgerWriter(writer: LedgerWriter): z.infer<typeof ledgerWriterSchema> {
  return { object: 'ledger_writer', ...writer };
}
