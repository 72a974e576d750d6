import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { addTarget, targetsOf } from '#src/bank/targets.ts';
import { invalid } from '#src/fintoc/account-numbers.ts';
import { fintocAccount, type FintocBank } from '#src/fintoc/bank.ts';

const requestSchema = z.object({
  url: z.url({ protocol: /^https?$/ }),
  enabled_events: z.array(z.string()).min(1),
  description: z.string().optional(),
});

/** `POST /v1/webhook_endpoints`: the secret is shown in this answer alone. */
export async function postWebhookEndpoint(bank: FintocBank, body: unknown): Promise<object> {
  const request = requestSchema.safeParse(body);
  if (!request.success) throw invalid(request.error);
  const { url, enabled_events: events } = request.data;
  const { webhookSecret: secret } = bank;
  const name = `we_${randomUUID()}`;
  for (const topic of events) {
    await addTarget(bank, { dialect: fintocAccount, topic, name, url, active: true, secret });
  }
  return { ...present({ id: name, url, events, createdAt: bank.now() }), secret };
}

/** `GET /v1/webhook_endpoints` */
export async function listWebhookEndpoints({ database }: FintocBank): Promise<object[]> {
  const targets = await targetsOf({ sql: database.query.bind(database) }, fintocAccount);
  const byName = Map.groupBy(targets, ({ name }) => name);
  return [...byName].map(([id, [first, ...others]]) =>
    present({
      id,
      url: first?.url ?? '',
      events: [first, ...others].flatMap((target) => (target ? [target.topic] : [])),
      createdAt: first?.createdAt ?? new Date(0),
    }),
  );
}

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly createdAt: Date;
}

function present({ id, url, events, createdAt }: Endpoint) {
  return {
    id,
    object: 'webhook_endpoint',
    created_at: createdAt.toISOString(),
    description: null,
    enabled_events: events,
    mode: 'test',
    secret: null as string | null,
    status: 'enabled',
    url,
  };
}
