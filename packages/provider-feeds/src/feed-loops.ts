import type { Database, DueWork } from '@gateway/persistence';
import { type Logger, startLoop } from '@gateway/runtime';
import { observeFeeds } from '#src/observe-feeds.ts';

const tidyIntervalMs = 60_000;
const observeIntervalMs = 30_000;

/** What the loops need of `Feeds`. */
interface Rounds {
  startDue(): Promise<Promise<void>[]>;
  takeDue(): Promise<boolean>;
  tidy(): Promise<boolean>;
  onItems(listener: () => void): Disposable;
}

/** Items that were never tried, and those that are tried again, have an index in common. */
const firstItemDue = `(select min(first) from (values
    ((select min(next_attempt_at) from item_inbox where not is_retry and next_attempt_at is not null)),
    ((select min(next_attempt_at) from item_inbox where is_retry and next_attempt_at is not null))) as due (first))`;
/** A thousand rows at most. */
const firstReaderDue = '(select min(greatest(due_at, lease_until)) from feed)';

/** Reads lists, applies items and reports both until disposed; rounds that have begun are finished first. */
export function startLoops(
  feeds: Rounds,
  { database, logger, dueWork }: { database: Database; logger: Logger; dueWork: DueWork },
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
  const taking = stack.use(dueWork.start({ name: 'feed items', firstDue: firstItemDue, work: take }));
  stack.use(feeds.onItems(() => taking.wake()));
  stack.use(dueWork.start({ name: 'feeds', firstDue: firstReaderDue, work: read }));
  const tidy = () => feeds.tidy();
  stack.use(startLoop({ name: 'feed gaps', intervalMs: tidyIntervalMs, logger, work: tidy }));
  const observe = () => observeFeeds(database);
  stack.use(startLoop({ name: 'feed metrics', intervalMs: observeIntervalMs, logger, work: observe }));
  return stack;
}
