import { notificationsUrl, type Providers } from '@gateway/providers';
import { startLoop, type Logger } from '@gateway/runtime';

const retryMs = 30_000;
const callTimeoutMs = 10_000;

/** Registers the address of notifications with every provider, with retries until each has taken it. */
export function startRegistering(providers: Providers, publicUrl: string, logger: Logger): AsyncDisposable {
  const missing = new Set([...providers]);
  const register = async (): Promise<void> => {
    for (const provider of missing) {
      const url = notificationsUrl(provider.id, publicUrl);
      const result = await provider.registerNotifications?.(url, { signal: AbortSignal.timeout(callTimeoutMs) });
      if (result?.ok === false) logger.warn({ provider: provider.id, cause: result.cause }, 'address not registered');
      else missing.delete(provider);
    }
  };
  return startLoop({ name: 'register notifications', intervalMs: retryMs, logger, work: register });
}
