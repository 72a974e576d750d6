import type { BacenConnection } from '#src/bacen/connection.ts';
import { webhookSchema } from '#src/bacen/wire.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type { RegistrationResult, RegistrationState } from '#src/payment-provider.ts';

/** The header with which Efí leaves the proof of origin to us; others ignore it. */
const withoutMutualTls = { 'x-skip-mtls-checking': 'true' };

/**
 * `PUT /webhook/{chave}` for each key. The provider appends `/pix` to the address: behind a query it lands in the value of
 * `ignorar`, which keeps the path as it is (Efí's documented way).
 */
export async function registerNotifications(
  connection: BacenConnection,
  { url, keys }: { readonly url: URL; readonly keys: readonly string[] },
  options?: CallOptions,
): Promise<RegistrationResult> {
  const { secret } = connection.config.notifications;
  const target = targetOf(connection, url);
  for (const key of keys) {
    const outcome = await connection.pixApi(
      {
        method: 'PUT',
        path: `/webhook/${encodeURIComponent(key)}`,
        headers: secret === undefined ? {} : withoutMutualTls,
        body: { webhookUrl: target.href },
      },
      options,
    );
    if (outcome.kind === 'rejected') return { ok: false, cause: `the provider answered ${outcome.status}` };
    if (outcome.kind !== 'answered') return { ok: false, cause: outcome.cause };
  }
  return { ok: true };
}

/** `GET /webhook/{chave}` for each key. Addresses are compared and not shown: they hold the secret. */
export async function readRegistration(
  connection: BacenConnection,
  { url, keys }: { readonly url: URL; readonly keys: readonly { readonly name: string; readonly key: string }[] },
  options?: CallOptions,
): Promise<RegistrationState> {
  const { href } = targetOf(connection, url);
  const missing: string[] = [];
  for (const { name, key } of keys) {
    const call = { method: 'GET', path: `/webhook/${encodeURIComponent(key)}`, schema: webhookSchema } as const;
    const found = lookedUp(await connection.pixApi(call, options));
    if (found.status === 'UNAVAILABLE') return { ok: false, cause: found.cause };
    if (found.status === 'NOT_FOUND') missing.push(`the ${name} has no address`);
    else if (found.value.webhookUrl !== href) missing.push(`the ${name} has another address, or another secret in it`);
  }
  return { ok: true, missing };
}

function targetOf({ config }: BacenConnection, url: URL): URL {
  const { secret } = config.notifications;
  const target = new URL(url);
  if (secret !== undefined) target.search = `?hmac=${secret}&ignorar=`;
  return target;
}
