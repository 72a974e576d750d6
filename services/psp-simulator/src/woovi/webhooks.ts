import { z } from 'zod';
import { addTarget, removeTargets, targetsOf, type NotificationTarget } from '#src/notifications/targets.ts';
import { WooviError, wooviDialect, type WooviBank } from '#src/woovi/bank.ts';
import { presentPageInfo, windowSchema } from '#src/woovi/page-query.ts';

const defaultEvent = 'OPENPIX:TRANSACTION_RECEIVED';

const registrationSchema = z.object({
  webhook: z.object({
    name: z.string().min(1),
    event: z.string().min(1).default(defaultEvent),
    url: z.url({ protocol: /^https?$/ }),
    authorization: z.string().optional(),
    isActive: z.boolean().default(true),
  }),
});

/** `POST /api/v1/webhook`: one event per registration. */
export async function postWebhook(bank: WooviBank, body: unknown): Promise<object> {
  const parsed = registrationSchema.safeParse(body);
  if (!parsed.success) throw new WooviError(`invalid field: ${parsed.error.issues[0]?.path.join('.') ?? 'webhook'}`);
  const { name, event: topic, url, isActive: active } = parsed.data.webhook;
  return { webhook: presentWebhook(await addTarget(bank, { dialect: wooviDialect, topic, name, url, active })) };
}

/** `GET /api/v1/webhook` */
export async function listWebhooks(bank: WooviBank, query: unknown): Promise<object> {
  const window = windowSchema.parse(query);
  const targets = await targetsOf(bank, wooviDialect);
  return { pageInfo: presentPageInfo(window, false), webhooks: targets.map(presentWebhook) };
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
