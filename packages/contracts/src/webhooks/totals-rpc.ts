import { z } from 'zod';
import { currencySchema, idSchema } from '@gateway/money';
import { defineRpc } from '#src/messages/define.ts';
import { environmentSchema } from '#src/values/environment.ts';
import { webhookEventSchema } from '#src/webhooks/webhook.ts';

/** What an answer has room for on the bus. */
export const totalsMax = 5_000;

export const totalsPeriodSchema = z.enum(['hour', 'day']);

/** How many events of a name were true in an hour or a day, and what their records add up to. */
const totalSchema = z.object({
  event: webhookEventSchema,
  /** Null of all providers together. */
  provider: z.string().nullable().default(null),
  currency: currencySchema,
  /** Unix seconds: the beginning of the hour, or of the day in the zone. */
  at: z.int(),
  count: z.int().positive(),
  /** In minor units; an amount that was paid, refunded and returned is in the totals of each. */
  amount: z.int().nonnegative(),
});

/**
 * The totals of the events that have an amount, by the hour or the day, the first of them first. They follow the event log
 * within seconds: `asOf` is until when they are complete. VALIDATION_ERROR naming `from` beyond `totalsMax`.
 */
export const getTotals = defineRpc({
  subject: 'rpc.webhooks.get-totals.v1',
  owner: 'webhooks',
  request: z.object({
    environment: environmentSchema,
    /** Of one account; of all together without it. */
    accountId: idSchema('account').optional(),
    /** One total for each provider, of all accounts together; events from before it was named are in none of them. */
    byProvider: z.boolean().default(false),
    /** Unix seconds: hours that begin from the first on and before the second. */
    from: z.number(),
    to: z.number(),
    by: totalsPeriodSchema,
    /** An IANA time zone, in which days begin. A day has whole hours of UTC. */
    zone: z.string(),
    currency: currencySchema.optional(),
    events: z.array(webhookEventSchema).optional(),
  }),
  reply: z.object({ totals: z.array(totalSchema), asOf: z.int() }),
});
