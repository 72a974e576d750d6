import { z } from 'zod';
import { apiVersionSchema, environmentSchema, type ApiVersion } from '@gateway/contracts/values';
import { webhookEventSchema, type LoggedEvent } from '@gateway/contracts/webhooks';
import { objectName, recordId, text, unixSeconds } from '#src/shared/members.ts';

/** An event of the log (api.md 8), which has one form in every contract but for its `data`. */
export const eventResourceSchema = z
  .object({
    id: recordId('event', 'The id of the event: that of its webhook body and of the `webhook-id` header.'),
    object: objectName('event'),
    event: webhookEventSchema.describe('The name of the event.'),
    created_at: unixSeconds('When it happened.'),
    environment: environmentSchema.describe('The environment of the record.'),
    api_version: apiVersionSchema.describe('The contract that `data` is shown in: that of this call.'),
    data_id: text('The id of the record that the event is about.', 'dep_01k9z3m4v6t8x0a2c4e6g8jk01'),
    data: z.record(z.string(), z.unknown()).meta({
      description: 'The record as it was then; its members are those of the `data` that webhooks receive.',
      examples: [{ id: 'dep_01k9z3m4v6t8x0a2c4e6g8jk01', object: 'deposit', status: 'PAID' }],
    }),
  })
  .meta({ id: 'Event', description: 'Something that happened to a record of the account.' });
export type EventResource = z.infer<typeof eventResourceSchema>;

export function presentEvent(event: LoggedEvent, apiVersion: ApiVersion): EventResource {
  return {
    id: event.id,
    object: 'event',
    event: event.event,
    created_at: event.createdAt,
    environment: event.environment,
    api_version: apiVersion,
    data_id: event.dataId,
    data: event.data,
  };
}
