import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { conversionSchema } from '#src/conversions/conversion.ts';
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
