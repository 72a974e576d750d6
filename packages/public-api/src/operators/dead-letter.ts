import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';
import { serviceNames } from '@gateway/contracts/messages';
import { deadLetterStatusSchema, type DeadLetter, type OpenedDeadLetter } from '@gateway/contracts/broker';
import { operatorReasonSchema } from '#src/operators/approval.ts';
import { pageQuery } from '#src/shared/page-query.ts';

/** Query of `GET /ops/dead-letters` (api.md 5). */
export const deadLettersQuerySchema = z.strictObject({
  ...pageQuery('deadLetter'),
  status: deadLetterStatusSchema.optional(),
  service: z.enum(serviceNames).optional(),
  consumer: requestText(1, 120).optional(),
  subject: requestText(1, 200).optional(),
});
export type DeadLettersQuery = z.infer<typeof deadLettersQuerySchema>;

/** Body of `POST /ops/dead-letters/{id}/discard`. */
export const discardRequestSchema = z.strictObject({
  reason: operatorReasonSchema.describe('why the message is of no consequence'),
});

/** A message that was set aside, without its content. */
export const deadLetterResourceSchema = z.object({
  id: z.string(),
  object: z.literal('dead_letter'),
  service: z.enum(serviceNames),
  consumer: z.string(),
  stream: z.string(),
  subject: z.string(),
  reason: z.string(),
  deliveries: z.int(),
  status: deadLetterStatusSchema,
  created_at: z.int().describe('Unix seconds'),
  decided_at: z.int().nullable().describe('Unix seconds; null while it waits'),
  decided_by: z.string().nullable(),
});
export type DeadLetterResource = z.infer<typeof deadLetterResourceSchema>;

/** `GET /ops/dead-letters/{id}`: with the message itself. */
export const openedDeadLetterResourceSchema = deadLetterResourceSchema.extend({
  payload: z.string(),
  headers: z.record(z.string(), z.string()),
});

export function presentDeadLetter(letter: DeadLetter): DeadLetterResource {
  return {
    id: letter.id,
    object: 'dead_letter',
    service: letter.service,
    consumer: letter.consumer,
    stream: letter.stream,
    subject: letter.subject,
    reason: letter.reason,
    deliveries: letter.deliveries,
    status: letter.status,
    created_at: letter.createdAt,
    decided_at: letter.decidedAt,
    decided_by: letter.decidedBy,
  };
}

export function presentOpenedDeadLetter(letter: OpenedDeadLetter): z.infer<typeof openedDeadLetterResourceSchema> {
  return { ...presentDeadLetter(letter), payload: letter.payload, headers: letter.headers };
}
