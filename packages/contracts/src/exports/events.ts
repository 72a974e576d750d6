import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { exportSchema } from '#src/exports/export.ts';
import { defineEvent } from '#src/messages/define.ts';

/** The file is complete and can be downloaded. */
export const ExportCompleted = defineEvent({
  subject: 'event.api-gateway.export.completed.v1',
  owner: 'api-gateway',
  payload: z.object({
    id: idSchema('event'),
    /** Unix seconds. */
    occurredAt: z.int(),
    export: exportSchema,
  }),
});
