import type { Database } from '@gateway/persistence';
import { type Logger, startLoop } from '@gateway/runtime';
import { observeFeeds } from '#src/observe-feeds.ts';

const readIntervalMs = 1_000;
const takeIntervalMs = 1_000;
const tidyIntervalMs = 60_000;
const observeIntervalMs = 15_000;

/** What the loops need of `Feeds`. */
interface Rounds {
  startDue(): Promise<Promise<void>[]>;
  takeDue(): Promise<boolean>;
  tidy(): Promise<boolean>;
  onItems(listener: () => void): Disposable;
}

/** Reads lists, applies items and reports both until disposed; rounds that have begun are finished first. */
export function startLoops(
  feeds: Rounds,
  { database, logger }: { database: Database; logger: Logger },
): AsyncDisposable {
  const stack = new AsyncDisposableStack();
  const rounds = new Set<Promise<void>>();
  const read = async (): Promise<void> => {
    for (const round of await feeds.startDue()) {
      const running = round.finally(() => rounds.delete(running));
      rounds.add(running);
    }
  };
  stack.defer(async () => void (await Promise.all(rounds)));
  const take = () => feeds.takeDue();
  const taking = stack.use(startLoop({ name: 'feed items', intervalMs: takeIntervalMs, logger, work: take }));
  stack.use(feeds.onItems(() => taking.wake()));
  stack.use(startLoop({ name: 'feeds', intervalMs: readIntervalMs, logger, work: read }));
  const tidy = () => feeds.tidy();
  stack.use(startLoop({ name: 'feed gaps', intervalMs: tidyIntervalMs, logger, work: tidy }));
  const observe = () => observeFeeds(database);
  stack.use(startLoop({ name: 'feed metrics', intervalMs: observeIntervalMs, logger, work: observe }));
  return stack;
}
