import type { Database } from '@gateway/persistence';
import { level, startLoop, type Logger } from '@gateway/runtime';
import { nextDays } from '#src/days/next-day.ts';

const sampleIntervalMs = 60_000;

const open = level(
  'gateway_recon_day_open_seconds',
  'Since when the oldest day of a statement that is not closed was to be; 0 while its time has not come',
  ['provider', 'currency'],
);

/** Measures how late the days of statements are closed. */
export function sampleDays(database: Database, logger: Logger, now: () => Date): AsyncDisposable {
  const work = async () => {
    open.reset();
    for (const { provider, currency, dueAt } of await nextDays(database)) {
      open.set(Math.max(0, (now().getTime() - dueAt.getTime()) / 1_000), { provider, currency });
    }
  };
  return startLoop({ name: 'statement days', intervalMs: sampleIntervalMs, logger, work });
}
