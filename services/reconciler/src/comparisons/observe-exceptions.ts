import { exceptionReasonSchema } from '@gateway/contracts/reconciler';
import { environmentSchema } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import { level, startLoop, type Logger } from '@gateway/runtime';

const sampleIntervalMs = 30_000;

const open = level('gateway_recon_exceptions_open', 'Exceptions that wait for two operators or for what is missing', [
  'environment',
  'reason',
]);

/** Counts the exceptions that are open, of each reason; those that were resolved are in none of the indexes it reads. */
export function observeExceptions(database: Database, logger: Logger): AsyncDisposable {
  const work = async () => {
    const counted = await database.query<{ environment: string; reason: string; count: number }>(
      `select environment, reason, count(*)::int as count from exception
       where state in ('OPEN', 'PROPOSED') group by environment, reason`,
    );
    for (const environment of environmentSchema.options) {
      for (const reason of exceptionReasonSchema.options) open.set(0, { environment, reason });
    }
    for (const { count, ...labels } of counted) open.set(count, labels);
  };
  return startLoop({ name: 'exception metrics', intervalMs: sampleIntervalMs, logger, work });
}
