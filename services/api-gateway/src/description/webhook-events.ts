import { z } from 'zod';
import { environmentSchema, type ApiVersion } from '@gateway/contracts/values';
import { webhookEventSchema, type WebhookEvent } from '@gateway/contracts/webhooks';
import { idSchema } from '@gateway/money';
import {
  failingWebhookResourceSchema,
  isVersioned,
  shownSchemas,
  type VersionedBody,
  webhookResourceSchema,
} from '@gateway/public-api';
import { exampleOfEvent } from '#src/description/examples.ts';
import type { DescribedOperation } from '#src/description/operation.ts';
import { type DocumentSchemas, type JsonSchema, referenceTo } from '#src/description/schemas.ts';
import { signedExampleOf } from '#src/description/signed-example.ts';

interface EventFacts {
  /** The record that its `data` is, in each contract where it has a form in each. */
  readonly data: z.ZodType | VersionedBody;
  /** When it is sent. */
  readonly when: string;
}

/** Every event that merchants receive (spec 6, api.md 2 and 8). */
const eventFacts: Readonly<Record<WebhookEvent, EventFacts>> = {
  'deposit.pending': { data: shownSchemas.deposit, when: 'A deposit was created and can be paid.' },
  'deposit.partially_paid': {
    data: shownSchemas.deposit,
    when: 'A SPEI transfer arrived that does not cover the deposit; `amount_received` says how much there is.',
  },
  'deposit.paid': { data: shownSchemas.deposit, when: 'A deposit was paid; its net amount is in the balance already.' },
  'deposit.expired': { data: shownSchemas.deposit, when: 'The time of a deposit ran out before it was paid.' },
  'deposit.canceled': { data: shownSchemas.deposit, when: 'A deposit was canceled; it cannot be paid any more.' },
  'deposit.refunded': { data: shownSchemas.deposit, when: 'The whole amount of a deposit has gone back to its payer.' },
  'payout.pending': { data: shownSchemas.payout, when: 'A payout waits for the approval of an operator.' },
  'payout.processing': { data: shownSchemas.payout, when: 'A payout is on its way to the bank of its recipient.' },
  'payout.paid': { data: shownSchemas.payout, when: 'The bank of the recipient has taken the money.' },
  'payout.failed': {
    data: shownSchemas.payout,
    when: 'A payout failed or was refused by the provider; the money is back in the balance.',
  },
  'payout.canceled': {
    data: shownSchemas.payout,
    when: 'A payout was refused before it was sent; the money is back in the balance.',
  },
  'payout.returned': {
    data: shownSchemas.returnedPayout,
    when: 'The bank of the recipient sent a paid payout back, or a part of it; the money is in the balance again.',
  },
  'med.opened': { data: shownSchemas.dispute, when: 'The bank of a payer disputes a deposit; its amount is blocked.' },
  'med.under_analysis': {
    data: shownSchemas.dispute,
    when: 'Evidence was submitted; the bank of the payer looks at it.',
  },
  'med.won': {
    data: shownSchemas.dispute,
    when: 'A dispute was decided for the merchant; the amount is available again.',
  },
  'med.lost': {
    data: shownSchemas.dispute,
    when: 'A dispute was decided for the payer; the amount has left the balance.',
  },
  'refund.done': { data: shownSchemas.refund, when: 'A refund has reached its payer.' },
  'refund.failed': { data: shownSchemas.refund, when: 'A refund failed; its amount is in the balance again.' },
  'conversion.completed': { data: shownSchemas.conversion, when: 'A conversion was booked in both currencies.' },
  'export.completed': {
    data: shownSchemas.export,
    when: 'The file of an export is complete; read the export for a link to it.',
  },
  'webhook.failing': {
    data: failingWebhookResourceSchema,
    when: 'Every call of another webhook of the account has failed for some hours.',
  },
  'webhook.disabled': { data: webhookResourceSchema, when: 'The gateway disabled another webhook of the account.' },
};

const header = (name: string, description: string, required: boolean) => {
  return { name, in: 'header', required, description, schema: { type: 'string' } };
};

export const deliveryHeaders = [
  header(
    'X-Gateway-Timestamp',
    'Unix seconds at which the call was signed; refuse what is over 300 seconds away.',
    true,
  ),
  header(
    'X-Gateway-Signature',
    '`sha256=` and the hex HMAC-SHA256 of `{timestamp}.{raw body}` under the secret of the webhook.',
    true,
  ),
  header('X-Gateway-Signature-Next', 'During a rotation of the secret: the same under the new secret.', false),
  header('X-Gateway-Event-Id', 'The id of the event, as in the body: the same for every attempt.', true),
  header('X-Gateway-Delivery-Id', 'The id of the delivery in the log.', true),
  header('X-Gateway-Attempt', 'The number of the attempt, from 1.', true),
  header('webhook-id', 'The id of the event, for libraries of Standard Webhooks.', true),
  header('webhook-timestamp', 'The time of signing, for libraries of Standard Webhooks.', true),
  header('webhook-signature', 'The signature or signatures, for libraries of Standard Webhooks.', true),
];

/** The name of the schema of an event: `DepositPaidEvent`. */
function schemaNameOf(event: WebhookEvent): string {
  return `${wordsOf(event)}Event`;
}

type DescribedWebhooks = Record<string, { readonly post: DescribedOperation }>;

/** Every event as the `webhooks` of a description (spec 6): when it is sent, what is sent, and what receivers answer. */
export function describeWebhooks(version: ApiVersion, schemas: DocumentSchemas): DescribedWebhooks {
  const described = webhookEventSchema.options.map((event) => {
    return [
      event,
      describeEvent(event, schemas, schemas.write(eventSchema(event, version), 'output'), version),
    ] as const;
  });
  const names = webhookEventSchema.options.map((event) => [event, schemaNameOf(event)] as const);
  schemas.add('WebhookEvent', {
    description: 'The body of any event: `event` says which one it is.',
    oneOf: names.map(([, name]) => referenceTo(name)),
    discriminator: {
      propertyName: 'event',
      mapping: Object.fromEntries(names.map(([event, name]) => [event, referenceTo(name).$ref])),
    },
  });
  return Object.fromEntries(described) as DescribedWebhooks;
}

function eventSchema(event: WebhookEvent, version: ApiVersion): z.ZodType {
  const { data, when } = eventFacts[event];
  return z
    .object({
      id: idSchema('event').describe('The id of the event, the same at every attempt: recognise repetitions by it.'),
      event: z.literal(event).describe('The name of the event.'),
      created_at: z.int().describe('When it happened, in Unix seconds.'),
      environment: environmentSchema.describe('The environment of the record.'),
      data: (isVersioned(data) ? data[version] : data).describe('The record as it was then.'),
    })
    .meta({ id: schemaNameOf(event), description: when });
}

function describeEvent(event: WebhookEvent, schemas: DocumentSchemas, schema: JsonSchema, version: ApiVersion): object {
  const { when } = eventFacts[event];
  const example = exampleOfEvent(event, schema, { schemas, version });
  return {
    post: {
      operationId: `receive${wordsOf(event)}`,
      tags: ['webhook events'],
      summary: when,
      description:
        `${when} The event \`${event}\` is sent to every webhook that subscribes to it, at least once: recognise ` +
        'repetitions by `id`. Verify the signature over the raw body before you read it: `x-signed-example` of ' +
        '`deposit.paid` is a call to try that with, its secret beside it.',
      security: [],
      parameters: deliveryHeaders.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema, examples: { example: { value: example } } } },
      },
      responses: {
        '2XX': {
          description: 'Received. Any other answer, or none within 7 seconds, is a failure, and the call is retried.',
        },
      },
      ...(event === 'deposit.paid' ? { 'x-signed-example': signedExampleOf(example) } : {}),
    },
  };
}

/** `deposit.paid` is `DepositPaid`. */
function wordsOf(event: WebhookEvent): string {
  return event
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
