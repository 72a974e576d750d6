import { z } from 'zod';
import { defineRpc } from '#src/messages/define.ts';
import { sideSchema } from '#src/reconciler/item.ts';
import { environmentSchema } from '#src/values/environment.ts';

/** How long ago the first side had something that is not explained. */
const unexplainedAgeSchema = z.enum(['below_an_hour', 'below_a_day', 'below_a_week', 'older']);

/** What one side says that the others do not explain, and their time is over. Sums by sign: nothing is netted. */
export const unexplainedSumSchema = z.object({
  side: sideSchema.exclude(['W']),
  age: unexplainedAgeSchema,
  matches: z.int().min(0),
  /** Minor units, each of them positive or 0. */
  plus: z.int().min(0),
  minus: z.int().min(0),
  /** ISO 8601 UTC with milliseconds. */
  oldestAt: z.string(),
});
export type UnexplainedSum = z.infer<typeof unexplainedSumSchema>;

/**
 * How much of what happened at an account of a provider is explained by all sides. A match counts under the moment from which
 * it could be explained: when the first side had it, or its file came.
 */
export const explainedShareSchema = z.object({
  environment: environmentSchema,
  provider: z.string(),
  currency: z.string(),
  /** Explained within five minutes, and later than that. */
  inTime: z.int().min(0),
  late: z.int().min(0),
  /** Not explained, for more than five minutes. What waits for the file of its day is left out. */
  open: z.int().min(0),
  /** Not explained by its sides, but by two operators. */
  resolved: z.int().min(0),
  /** Lines that the provider listed, and those that it showed more than five minutes after it had booked them. */
  lines: z.int().min(0),
  lateLines: z.int().min(0),
  /** Whenever it happened. */
  unexplained: z.array(unexplainedSumSchema),
});
export type ExplainedShare = z.infer<typeof explainedShareSchema>;

/** Every account at a provider of which anything is known, in the order of environment, provider and currency. */
export const getExplained = defineRpc({
  subject: 'rpc.reconciler.get-explained.v1',
  owner: 'reconciler',
  request: z.object({
    /** Of what happened since then, and in the hour in which that is: ISO 8601 UTC. */
    since: z.iso.datetime(),
    environment: environmentSchema.optional(),
    provider: z.string().max(60).optional(),
  }),
  reply: z.object({ accounts: z.array(explainedShareSchema) }),
});
