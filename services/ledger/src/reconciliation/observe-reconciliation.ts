import type { Database } from '@gateway/persistence';
import { level, startLoop, type Logger } from '@gateway/runtime';

const sampleIntervalMs = 30_000;

const agrees = level('gateway_ledger_reconciliation_ok', 'Whether the last reconciliation found nothing wrong');
const finished = level('gateway_ledger_reconciliation_finished_seconds', 'When the last one ended, in Unix seconds');

/** Read from the table, so that a discrepancy stays visible after a restart. */
export function observeReconciliation(database: Database, logger: Logger): AsyncDisposable {
  return startLoop({
    name: 'reconciliation metrics',
    intervalMs: sampleIntervalMs,
    logger,
    work: async () => {
      const [last] = await database.query<{ status: string; finished_at: Date }>(
        'select status, finished_at from reconciliation order by id desc limit 1',
      );
      if (!last) return;
      showReconciliation(last.status, last.finished_at.getTime());
    },
  });
}

export function showReconciliation(status: string, finishedAtMs: number): void {
  agrees.set(status === 'OK' ? 1 : 0);
  finished.set(finishedAtMs / 1_000);
}
