import { counter, histogram, recordSpan } from '@gateway/service-kit';
import type { Answer } from '#src/writer/batch-writer.ts';

const batchBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const batchSize = histogram('gateway_ledger_batch_commands', 'Commands decided in one commit', ['shard'], batchBuckets);
const decided = counter('gateway_ledger_commands_total', 'Commands by shard, kind and outcome', [
  'shard',
  'kind',
  'outcome',
]);

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
      attributes: { 'ledger.outcome': result.outcome, 'ledger.replayed': result.replayed },
    });
  }
}
