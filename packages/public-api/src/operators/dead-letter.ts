import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';
import { serviceNames } from '@gateway/contracts/messages';
import { deadLetterStatusSchema, type DeadLetter, type OpenedDeadLetter } from '@gateway/contracts/broker';
import { operatorReasonSchema } from '#src/operators/approval.ts';
import { count, objectName, recordId, text, unixSeconds } from '#src/shared/members.ts';
import { pageQuery } from '#src/shared/page-query.ts';

/** Query of `GET /ops/dead-letters` (api.md 5). */
export const deadLettersQuerySchema = z.strictObject({
  ...pageQuery('deadLetter'),
  status: deadLetterStatusSchema.optional().describe('Only messages in this state.'),
  service: z.enum(serviceNames).optional().describe('Only messages that this service could not handle.'),
  consumer: requestText(1, 120).optional().describe('Only messages of this consumer.'),
  subject: requestText(1, 200).optional().describe('Only messages of this subject.'),
});
export type DeadLettersQuery = z.infer<typeof deadLettersQuerySchema>;

/** Body of `POST /ops/dead-letters/{id}/discard`. */
export const discardRequestSchema = z
  .strictObject({ reason: operatorReasonSchema.describe('Why the message is of no consequence.') })
  .meta({ id: 'DeadLetterDiscard', description: 'Why a message is discarded.' });

/** A message that was set aside, without its content. */
export const deadLetterResourceSchema = z
  .object({
    id: recordId('deadLetter', 'The id of the dead letter.'),
    object: objectName('dead_letter'),
    service: z.enum(serviceNames).describe('The service that could not handle it.'),
    consumer: text('The consumer that could not handle it.', 'webhooks_deposits'),
    stream: text('The stream that it came from.', 'DEPOSITS'),
    subject: text('The subject of the message.', 'evt.deposits.deposit-paid.v1.live.7'),
    reason: text('Why it could not be handled.', 'the record is unknown'),
    deliveries: count('How often it was tried.', 20),
    status: deadLetterStatusSchema.describe('What has become of it.'),
    created_at: unixSeconds('When it was set aside.'),
    decided_at: unixSeconds('When it was decided; null while it waits.').nullable(),
    decided_by: text('The operator who decided it.', 'ana').nullable(),
  })
  .meta({ id: 'DeadLetter', description: 'A message that was set aside, without its content.' });
export type DeadLetterResource = z.infer<typeof deadLetterResourceSchema>;

/** `GET /ops/dead-letters/{id}`: with the message itself. */
export const openedDeadLetterResourceSchema = deadLetterResourceSchema
  .extend({
    payload: text('The message as it was sent.', '{"deposit":{}}'),
    headers: z.record(z.string(), z.string()).meta({
      description: 'The headers of the message.',
      examples: [{ 'Nats-Msg-Id': '01k9z3m4v6t8x0a2c4e6g8jk01' }],
    }),
  })
  .meta({ id: 'OpenedDeadLetter', description: 'A message that was set aside, with its content.' });

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
