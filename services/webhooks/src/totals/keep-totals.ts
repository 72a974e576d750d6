import type { Database } from '@gateway/persistence';
import { startLoop, type Logger } from '@gateway/runtime';
import { addUpEvents, removeOldTotals } from '#src/totals/add-up-events.ts';
import { ReadTotals } from '#src/totals/note-read.ts';

const addUpIntervalMs = 1_000;
const readIntervalMs = 3_000;
const removalIntervalMs = 3_600_000;

export interface TotalsDeps {
  readonly database: Database;
  /** Of the streams that the log is written from; undefined while the broker does not say. */
  readonly positions: ConstructorParameters<typeof ReadTotals>[1];
}

/** Adds up what the log grows by, notes how far that has come, and removes what is asked for no more. */
export function keepTotals({ database, positions }: TotalsDeps, logger: Logger): AsyncDisposable {
  const read = new ReadTotals(database, positions);
  const loops = new AsyncDisposableStack();
  const loop = (name: string, intervalMs: number, work: () => Promise<boolean | void>) =>
    loops.use(startLoop({ name, intervalMs, logger, work }));
  loop('totals of events', addUpIntervalMs, () => addUpEvents(database));
  loop('how far totals have read', readIntervalMs, () => read.note());
  loop('old totals', removalIntervalMs, () => removeOldTotals(database));
  return loops;
}
