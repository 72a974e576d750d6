import type { Database } from '@gateway/persistence';
import { level, startLoop, type Logger } from '@gateway/runtime';
import { readPositions } from '#src/treasury/position.ts';

const sampleIntervalMs = 15_000;

const uncovered = level('gateway_treasury_uncovered', 'USDT owed for live conversions and not bought, minor units', [
  'currency',
]);
const waiting = level('gateway_treasury_waiting_seconds', 'Age of the oldest live conversion that is not covered', [
  'currency',
]);

/** Read from the table, so that an uncovered position stays visible after a restart. */
export function observeTreasury(database: Database, logger: Logger): AsyncDisposable {
  return startLoop({
    name: 'treasury metrics',
    intervalMs: sampleIntervalMs,
    logger,
    work: async () => {
      const positions = await readPositions(database);
      for (const currency of ['BRL', 'MXN'] as const) {
        const position = positions.find((each) => each.currency === currency);
        uncovered.set(position?.uncovered ?? 0, { currency });
        waiting.set(position?.since ? (Date.now() - position.since.getTime()) / 1_000 : 0, { currency });
      }
    },
  });
}
