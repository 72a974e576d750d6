import { z } from 'zod';
import { environmentSchema } from '#src/values/environment.ts';
import { webhookEventSchema } from '#src/webhooks/webhook.ts';

/**
 * Core NATS subject on which is published that events of an account were written to its log, once they are committed. It is
 * a hint: it may be lost, so readers also look by themselves.
 */
export const eventsLoggedSignal = 'signal.events.logged';

export const eventsLoggedSchema = z.object({
  environment: environmentSchema,
  accountId: z.string(),
  /** The last of them. */
  id: z.string(),
  /** How many of each name; senders from before it was counted say nothing. */
  counts: z.partialRecord(webhookEventSchema, z.int().positive()).default({}),
});
export type EventsLogged = z.infer<typeof eventsLoggedSchema>;
