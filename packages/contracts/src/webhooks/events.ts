import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { defineEvent } from '#src/messages/define.ts';
import { disabledReasonSchema, webhookSchema } from '#src/webhooks/webhook.ts';

const common = {
  id: idSchema('event'),
  /** Unix seconds. */
  occurredAt: z.int(),
  webhook: webhookSchema,
};

/** Every call of an endpoint has failed for a while: after 1, 12, 24 and 48 hours. After 72 it is disabled. */
export const WebhookFailing = defineEvent({
  subject: 'event.webhooks.webhook.failing.v1',
  owner: 'webhooks',
  payload: z.object({ ...common, failingHours: z.int() }),
});

/** The gateway disabled an endpoint by itself. */
export const WebhookDisabled = defineEvent({
  subject: 'event.webhooks.webhook.disabled.v1',
  owner: 'webhooks',
  payload: z.object({ ...common, reason: disabledReasonSchema }),
});
