import type { FintocConnection } from '#src/fintoc/connection.ts';
import { notifiedEvents } from '#src/fintoc/events.ts';
import { webhookEndpointsSchema } from '#src/fintoc/wire.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type { RegistrationResult, RegistrationState } from '#src/payment-provider.ts';

const path = '/v1/webhook_endpoints';

/**
 * `POST /v1/webhook_endpoints`, one for the events that no endpoint of this address has yet. Its secret is in the answer
 * and in the dashboard, and belongs into the configuration.
 */
export async function registerNotifications(
  connection: FintocConnection,
  url: URL,
  options?: CallOptions,
): Promise<RegistrationResult> {
  const missing = await missingEvents(connection, url, options);
  if (!missing.ok) return missing;
  if (missing.events.length === 0) return { ok: true };
  const body = { url: url.href, enabled_events: missing.events, description: 'gateway' };
  const outcome = await connection.call({ method: 'POST', path, body }, options);
  if (outcome.kind === 'answered') return { ok: true };
  return { ok: false, cause: outcome.kind === 'rejected' ? `the provider answered ${outcome.status}` : outcome.cause };
}

export async function readRegistration(
  connection: FintocConnection,
  url: URL,
  options?: CallOptions,
): Promise<RegistrationState> {
  const missing = await missingEvents(connection, url, options);
  if (!missing.ok) return missing;
  return { ok: true, missing: missing.events.map((event) => `no enabled endpoint for ${event}`) };
}

async function missingEvents(connection: FintocConnection, url: URL, options: CallOptions | undefined) {
  const found = lookedUp(await connection.call({ method: 'GET', path, schema: webhookEndpointsSchema }, options));
  if (found.status === 'UNAVAILABLE') return { ok: false, cause: found.cause } as const;
  const endpoints = found.status === 'FOUND' ? found.value : [];
  const registered = new Set(
    endpoints
      .filter((endpoint) => endpoint.status === 'enabled' && endpoint.url === url.href)
      .flatMap((endpoint) => endpoint.enabled_events),
  );
  return { ok: true, events: notifiedEvents.filter((event) => !registered.has(event)) } as const;
}
