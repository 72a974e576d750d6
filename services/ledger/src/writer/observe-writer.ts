import { counter, gauge, histogram, idAttributesOf, recordSpan, type Logger } from '@gateway/runtime';
import { shardLabel, shards } from '#src/shards.ts';
import type { Answer } from '#src/writer/batch-writer.ts';
import type { ClockProblem, WriterClock } from '#src/writer/writer-clock.ts';

const batchBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const batchSize = histogram('gateway_ledger_batch_commands', 'Commands decided in one commit', ['shard'], batchBuckets);
const decided = counter('gateway_ledger_commands_total', 'Commands by shard, kind and outcome', [
  'shard',
  'kind',
  'outcome',
]);

const unknownProviders = counter(
  'gateway_ledger_unknown_providers_total',
  'Commands for a provider that is not registered at the ledger',
  ['shard'],
);
// Prometheus sees an increase only from a value that was there before.
for (const shard of shards) unknownProviders.add(0, { shard: shardLabel(shard) });

export const clockProblems: readonly ClockProblem[] = ['process', 'postgresql', 'unknown', 'head'];

export const clockRefusals = counter(
  'gateway_ledger_clock_refusals_total',
  'Times nothing was decided because clocks disagreed, by shard and whose is wrong',
  ['shard', 'problem'],
);

/** Metrics of a batch, and a span for each command whose sender traces it. */
export function observeBatch(shard: string, answers: readonly Answer[], arrivedAtMs: number): void {
  batchSize.record(answers.length, { shard });
  const alike = Map.groupBy(answers, ({ command, result }) => `${command?.kind ?? 'invalid'} ${result.outcome}`);
  for (const [key, { length }] of alike) {
    const [kind = '', outcome = ''] = key.split(' ');
    decided.add(length, { shard, kind, outcome });
  }
  for (const { message, command, result } of answers) {
    if (!message.trace['traceparent']) continue;
    recordSpan(`ledger ${command?.kind ?? 'invalid'}`, {
      parent: message.trace,
      startedAtMs: arrivedAtMs,
      attributes: {
        ...idAttributesOf(command),
        'ledger.command_id': result.commandId,
        'ledger.outcome': result.outcome,
        'ledger.replayed': result.replayed,
      },
    });
  }
}

/** Either LEDGER_PROVIDERS lacks a provider, or a sender that is none of our services sends commands. */
export function reportUnknownProviders(logger: Logger, shard: string, answers: readonly Answer[]): void {
  for (const { command, result } of answers) {
    if (result.refusal !== 'unknown_provider' || !command || !('provider' in command)) continue;
    unknownProviders.add(1, { shard });
    const log = { shard, commandId: command.id, provider: command.provider };
    logger.error(log, 'a command names a provider that is not in LEDGER_PROVIDERS; nothing was booked');
  }
}

/** How far the clocks are from this process's, in seconds, until disposed. */
export function observeClock(shard: string, clock: WriterClock): Disposable {
  const name = 'gateway_ledger_clock_offset_seconds';
  const help = "How far this writer's clock is ahead of the one it is compared with";
  const stack = new DisposableStack();
  stack.use(gauge(name, help, () => clock.offsetMs / 1_000, { shard, against: 'postgresql' }));
  stack.use(gauge(name, help, () => -clock.brokerAheadMs / 1_000, { shard, against: 'broker' }));
  return stack;
}
