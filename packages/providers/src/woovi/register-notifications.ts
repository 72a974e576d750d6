import type { CallOptions } from '#src/outcomes.ts';
import type { RegistrationResult, RegistrationState } from '#src/payment-provider.ts';
import { wooviLookedUp, type WooviConnection } from '#src/woovi/connection.ts';
import { notifiedEvents } from '#src/woovi/events.ts';
import { webhookListSchema } from '#src/woovi/wire.ts';

/**
 * `POST /api/v1/webhook`, one registration per event; what is registered already stays as it is. The secret of each is shown
 * in Woovi's panel alone, and belongs into the configuration.
 */
export async function registerNotifications(
  connection: WooviConnection,
  url: URL,
  options?: CallOptions,
): Promise<RegistrationResult> {
  const missing = await missingEvents(connection, url, options);
  if (!missing.ok) return missing;
  for (const event of missing.events) {
    const webhook = { name: `gateway ${event}`, event, url: url.href, isActive: true };
    const outcome = await connection.call({ method: 'POST', path, body: { webhook } }, options);
    if (outcome.kind === 'rejected') return { ok: false, cause: `the provider answered ${outcome.status}` };
    if (outcome.kind !== 'answered') return { ok: false, cause: outcome.cause };
  }
  return { ok: true };
}

export async function readRegistration(
  connection: WooviConnection,
  url: URL,
  options?: CallOptions,
): Promise<RegistrationState> {
  const missing = await missingEvents(connection, url, options);
  return missing.ok ? { ok: true, missing: missing.events.map((event) => `no active webhook for ${event}`) } : missing;
}

const path = '/api/v1/webhook';

async function missingEvents(connection: WooviConnection, url: URL, options: CallOptions | undefined) {
  const search = new URLSearchParams({ url: url.href });
  const call = { method: 'GET', path: `${path}?${search.toString()}`, schema: webhookListSchema } as const;
  const listed = wooviLookedUp(await connection.call(call, options));
  if (listed.status === 'UNAVAILABLE') return { ok: false, cause: listed.cause } as const;
  const webhooks = listed.status === 'FOUND' ? listed.value.webhooks : [];
  const registered = new Set(
    webhooks.filter((hook) => hook.isActive && hook.url === url.href).map(({ event }) => event),
  );
  return { ok: true, events: notifiedEvents.filter((name) => !registered.has(name)) } as const;
}
