import { z } from 'zod';
import { addTarget, removeTargets, targetsOf, type NotificationTarget } from '#src/bank/targets.ts';
import { presentPageInfo, wooviDialect, WooviError, type WooviBank } from '#src/woovi/bank.ts';

const defaultEvent = 'OPENPIX:TRANSACTION_RECEIVED';

const listQuerySchema = z.object({ url: z.string().optional() });

/** What can be registered for (schema `WebhookEventEnum`, without mandates and registers of accounts). */
const events = [
  'OPENPIX:CHARGE_CREATED',
  'OPENPIX:CHARGE_COMPLETED',
  'OPENPIX:CHARGE_EXPIRED',
  'OPENPIX:CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER',
  'OPENPIX:TRANSACTION_RECEIVED',
  'OPENPIX:TRANSACTION_REFUND_RECEIVED',
  'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED',
  'PIX_TRANSACTION_REFUND_SENT_CONFIRMED',
  'PIX_TRANSACTION_REFUND_RECEIVED_REJECTED',
  'PIX_TRANSACTION_REFUND_SENT_REJECTED',
  'OPENPIX:MOVEMENT_CONFIRMED',
  'OPENPIX:MOVEMENT_FAILED',
  'OPENPIX:MOVEMENT_REMOVED',
  'OPENPIX:DISPUTE_CREATED',
  'OPENPIX:DISPUTE_ACCEPTED',
  'OPENPIX:DISPUTE_REJECTED',
  'OPENPIX:DISPUTE_CANCELED',
] as const;

const registrationSchema = z.object({
  webhook: z.object({
    name: z.string().min(1),
    event: z.enum(events).default(defaultEvent),
    url: z.url({ protocol: /^https?$/ }),
    authorization: z.string().optional(),
    isActive: z.boolean().default(true),
  }),
});

/** `GET /api/v1/webhook/events` */
export function listEvents(): object {
  return { events: events.map((name) => ({ name })) };
}

/** `POST /api/v1/webhook`: one event per registration. Its secret is shown in the panel, and by no call. */
export async function postWebhook(bank: WooviBank, body: unknown): Promise<object> {
  const parsed = registrationSchema.safeParse(body);
  if (!parsed.success) throw new WooviError(`invalid field: ${parsed.error.issues[0]?.path.join('.') ?? 'webhook'}`);
  const { name, event: topic, url, isActive: active, authorization } = parsed.data.webhook;
  const { webhookSecret: secret } = bank;
  const target = await addTarget(bank, { dialect: wooviDialect, topic, name, url, active, secret });
  return { webhook: { ...presentWebhook(target), ...(authorization === undefined ? {} : { authorization }) } };
}

/** `GET /api/v1/webhook` */
export async function listWebhooks({ database }: WooviBank, query: unknown): Promise<object> {
  const { url } = listQuerySchema.parse(query);
  const targets = await targetsOf({ sql: database.query.bind(database) }, wooviDialect);
  const wanted = targets.filter((target) => url === undefined || target.url === url);
  return { pageInfo: presentPageInfo(false), webhooks: wanted.map(presentWebhook) };
}

/** `DELETE /api/v1/webhook/{id}` */
export async function deleteWebhook(bank: WooviBank, id: string): Promise<object> {
  if (!(await removeTargets(bank, wooviDialect, { id }))) throw new WooviError('Webhook not found');
  return { status: 'OK' };
}

function presentWebhook({ id, name, url, topic: event, active, createdAt, changedAt }: NotificationTarget): object {
  return {
    id,
    name,
    url,
    event,
    isActive: active,
    createdAt: createdAt.toISOString(),
    updatedAt: changedAt.toISOString(),
  };
}
