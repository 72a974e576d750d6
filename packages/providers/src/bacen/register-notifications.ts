import type { BacenConnection } from '#src/bacen/connection.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type { RegistrationResult } from '#src/payment-provider.ts';

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
  const target = new URL(url);
  if (secret !== undefined) target.search = `?hmac=${secret}&ignorar=`;
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
