import { z } from 'zod';
import { conversionSchema } from '#src/conversions/conversion.ts';
import { idSchema } from '#src/ids/id.ts';
import { defineEvent } from '#src/messages/define.ts';

/** Both entries are in the statement. */
export const ConversionCompleted = defineEvent({
  subject: 'event.ledger.conversion.completed.v1',
  owner: 'ledger',
  payload: z.object({
    id: idSchema('event'),
    /** Unix seconds. */
    occurredAt: z.int(),
    conversion: conversionSchema,
  }),
});
