import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { defineRpc, serviceNames, type ServiceName } from '#src/messages/define.ts';

export const deadLetterStatusSchema = z.enum(['WAITING', 'RETRIED', 'DISCARDED']);

/** A message a service could not handle and has set aside; it waits until an operator decides. */
export const deadLetterSchema = z.object({
  id: idSchema('deadLetter'),
  service: z.enum(serviceNames),
  /** Who could not handle it. */
  consumer: z.string(),
  stream: z.string(),
  subject: z.string(),
  /** Why it was not handled the last time. */
  reason: z.string(),
  /** How often it was handed to the consumer, retries of operators included. */
  deliveries: z.int(),
  status: deadLetterStatusSchema,
  /** Unix seconds, like `decidedAt`. */
  createdAt: z.int(),
  decidedAt: z.int().nullable(),
  decidedBy: z.string().nullable(),
});
export type DeadLetter = z.infer<typeof deadLetterSchema>;

/** With what the message says. */
export const openedDeadLetterSchema = deadLetterSchema.extend({
  payload: z.string(),
  headers: z.record(z.string(), z.string()),
});
export type OpenedDeadLetter = z.infer<typeof openedDeadLetterSchema>;

const decision = {
  request: z.object({ id: idSchema('deadLetter'), operator: z.string().min(1) }),
  reply: z.object({ before: deadLetterSchema, deadLetter: deadLetterSchema }),
};

/**
 * What every service is asked about its dead letters.
 *
 * - `list`: newest first, those older than `before`; `knowsBefore` says whether the service has that one.
 * - `open`: refuses NOT_FOUND.
 * - `retry`: hands the message to its consumer again; WAITING with a new reason when it fails again. Effects happen once
 *   however often it is retried. Refuses INVALID_STATE unless it is WAITING, and when its consumer does not exist.
 * - `discard`: ends it without an effect. Refuses INVALID_STATE unless it is WAITING.
 */
export function deadLetterRpcs(service: ServiceName) {
  return {
    list: defineRpc({
      subject: `rpc.${service}.list-dead-letters.v1`,
      owner: service,
      request: z.object({
        limit: z.int().min(1).max(200),
        before: idSchema('deadLetter').optional(),
        status: deadLetterStatusSchema.optional(),
        consumer: z.string().optional(),
        subject: z.string().optional(),
      }),
      reply: z.object({ deadLetters: z.array(deadLetterSchema), hasMore: z.boolean(), knowsBefore: z.boolean() }),
    }),
    open: defineRpc({
      subject: `rpc.${service}.open-dead-letter.v1`,
      owner: service,
      request: z.object({ id: idSchema('deadLetter') }),
      reply: z.object({ deadLetter: openedDeadLetterSchema }),
    }),
    retry: defineRpc({ subject: `rpc.${service}.retry-dead-letter.v1`, owner: service, ...decision }),
    discard: defineRpc({ subject: `rpc.${service}.discard-dead-letter.v1`, owner: service, ...decision }),
  };
}
