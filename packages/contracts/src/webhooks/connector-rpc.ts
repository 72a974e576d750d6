import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { apiVersionSchema, environmentSchema } from '#src/values/environment.ts';
import { defineRpc } from '#src/messages/define.ts';
import { integrationPrefixSchema } from '#src/connector/integration.ts';
import { webhookEventSchema } from '#src/webhooks/webhook.ts';

/**
 * Makes `endpoints` all the URLs at which one connector of the account receives the connector's format (spec 6); the
 * other connector's stay. A URL that was one before, and enabled, keeps its id and its log; one that is left out is gone. Refuses a URL that may not be called
 * (VALIDATION_ERROR on `endpoints.<n>.url`) and more endpoints than an account may have (LIMIT_REACHED), and then
 * changes nothing.
 */
export const replaceConnectorEndpoints = defineRpc({
  subject: 'rpc.webhooks.replace-connector-endpoints.v2',
  owner: 'webhooks',
  callers: ['compat'],
  sealed: true,
  request: z.object({
    environment: environmentSchema,
    accountId: idSchema('account'),
    /** The connector whose registration it is: each has its own URLs and paraphrase. */
    prefix: integrationPrefixSchema.default('cli'),
    apiVersion: apiVersionSchema,
    /** Public key that registered them; each confirmation names it. */
    clientId: z.string(),
    /** Repeated in each confirmation, for the receiver to compare; may be empty. */
    securityParaphrase: z.string().max(255),
    endpoints: z
      .array(z.object({ url: z.string().min(1).max(2048), events: z.array(webhookEventSchema).min(1) }))
      .max(20),
  }),
  reply: z.object({}),
});
