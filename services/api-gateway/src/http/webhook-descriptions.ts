import { z } from 'zod';
import { environmentSchema } from '@gateway/contracts/values';
import { webhookEventSchema, type WebhookEvent } from '@gateway/contracts/webhooks';
import { idSchema } from '@gateway/money';
import { failingWebhookResourceSchema, shownSchemas, webhookResourceSchema } from '@gateway/public-api';

/** The record that the events of a group carry, in the contract of the receiving endpoint. */
const recordSchemas: Readonly<Record<string, z.ZodType>> = {
  deposit: shownSchemas.deposit,
  payout: shownSchemas.payout,
  med: shownSchemas.dispute,
  refund: shownSchemas.refund,
  conversion: shownSchemas.conversion,
  webhook: webhookResourceSchema,
};

const signatureHeaders = {
  'X-Gateway-Timestamp': 'Unix seconds at which the call was signed; refuse what is more than 300 seconds away',
  'X-Gateway-Signature':
    '`sha256=` and the hex HMAC-SHA256 of `{timestamp}.{raw body}` under the secret of the webhook',
  'X-Gateway-Event-Id': 'The same for every attempt',
  'X-Gateway-Delivery-Id': 'The id of the delivery in the log',
  'X-Gateway-Attempt': 'Counts from 1',
};

/** Events that carry more than the record. */
const eventSchemas: Readonly<Partial<Record<WebhookEvent, z.ZodType>>> = {
  'payout.returned': shownSchemas.returnedPayout,
  'webhook.failing': failingWebhookResourceSchema,
};

/** Every event as the `webhooks` of the API description (spec 6): what is sent, and what receivers answer. */
export function webhookDescriptions(): Readonly<Record<string, object>> {
  const described = webhookEventSchema.options.flatMap((event) => {
    const record = eventSchemas[event] ?? recordSchemas[event.split('.')[0] ?? ''];
    return record ? [[event, describeEvent(event, record)] as const] : [];
  });
  return Object.fromEntries(described);
}

function describeEvent(event: WebhookEvent, record: z.ZodType): object {
  const body = z.object({
    id: idSchema('event').describe('The id of the event, the same at every attempt: recognise repetitions by it.'),
    event: z.literal(event),
    created_at: z.int().describe('Unix seconds'),
    environment: environmentSchema,
    data: record,
  });
  const schema = z.toJSONSchema(body, { target: 'draft-2020-12', io: 'output' });
  return {
    post: {
      operationId: `receive${event.split(/[._]/).map(capitalised).join('')}`,
      tags: ['webhook events'],
      summary: `${event}: sent to every webhook that subscribes to it`,
      security: [],
      parameters: Object.entries(signatureHeaders).map(([name, description]) => {
        return { name, in: 'header', required: true, description, schema: { type: 'string' } };
      }),
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': {
          description: 'Received. Any other answer, or none within 7 seconds, is a failure, and the call is retried.',
        },
      },
    },
  };
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
