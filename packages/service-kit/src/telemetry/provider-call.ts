import { histogram } from '#src/telemetry/metrics.ts';

const duration = histogram('gateway_provider_call_seconds', 'Calls of payment providers, by what became of them', [
  'provider',
  'operation',
  'outcome',
]);

/** Measures one call of a provider. `outcomeOf` names what became of it in one of a few words. */
export async function measureProviderCall<T>(
  provider: string,
  operation: string,
  outcomeOf: (result: T) => string,
  call: () => Promise<T>,
): Promise<T> {
  const startedMs = performance.now();
  const result = await call();
  duration.record((performance.now() - startedMs) / 1_000, { provider, operation, outcome: outcomeOf(result) });
  return result;
}
