import { counter, histogram, untilReachable, type Logger, type ServiceContext } from '@gateway/runtime';
import { callCounts } from '#src/call-figures.ts';

const duration = histogram('gateway_provider_call_seconds', 'Calls of payment providers, by what became of them', [
  'provider',
  'operation',
  'outcome',
]);

const unreadable = counter(
  'gateway_provider_unreadable_answers_total',
  'Answers of payment providers that do not fit their protocol',
  ['provider'],
);

/**
 * Counts and logs answers that make no sense, by provider. A provider's count begins at 0 here, so that its first such
 * answer is an increase already.
 */
export function watchUnreadableAnswers(logger: Logger): (provider: string) => (cause: string) => void {
  return (provider) => {
    unreadable.add(0, { provider });
    return (cause) => {
      unreadable.add(1, { provider });
      logger.error({ provider, cause }, 'provider answered nonsense');
    };
  };
}

/** What every service that calls providers connects them with. */
export function providerCalls({ logger, signal }: Pick<ServiceContext, 'logger' | 'signal'>, now: () => Date) {
  return {
    now,
    onUnreadableOf: watchUnreadableAnswers(logger),
    untilReachable: <T>(connect: () => Promise<T>) =>
      untilReachable({ what: 'the provider simulator', logger, signal, connect }),
  };
}

/** Measures one call of a provider. `outcomeOf` names what became of it in one of a few words. */
export async function measureProviderCall<T>(
  provider: string,
  operation: string,
  outcomeOf: (result: T) => string,
  call: () => Promise<T>,
): Promise<T> {
  const startedMs = performance.now();
  const at = new Date();
  const result = await call();
  const [durationMs, outcome] = [performance.now() - startedMs, outcomeOf(result)];
  duration.record(durationMs / 1_000, { provider, operation, outcome });
  callCounts.add({ provider, operation, isFailed: withoutAnswer.has(outcome), durationMs, at });
  return result;
}

/** What a call came to after which it is not known what the provider did, or that did not reach it. */
const withoutAnswer: ReadonlySet<string> = new Set(['unknown', 'not_sent', 'not_told', 'NONE', 'UNAVAILABLE']);
