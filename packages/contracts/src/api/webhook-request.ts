import { z } from 'zod';
import { requestText } from '#src/api/request-text.ts';
import { webhookEventSchema } from '#src/webhooks/webhook.ts';

/** Body of `POST /v1/webhooks`. Which URLs may be called is the webhooks service's rule. */
export const webhookRequestSchema = z.object({
  name: requestText(1, 64),
  url: requestText(1, 2048),
  /** Left out, null or empty: all events. */
  events: z.array(webhookEventSchema).nullish(),
});
