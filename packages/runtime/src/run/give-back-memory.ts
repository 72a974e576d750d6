import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; flavor: 'last-resort'; execution: 'sync' }) => void;

/**
 * Gives back what loading the code took: it grows the young generation to its limit, and nothing shrinks it again in a
 * process that goes on doing a little. Under load it grows once more, in the services that have the load.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}

const restLookMs = 15_000;
/** Share of its time that the event loop of a process at rest works; with the load of a few calls a second it is more. */
const restUtilizationMax = 0.03;
/** What is not worth a collection. */
const grownBytesMin = 8 * 1024 * 1024;

/**
 * Gives memory back once more after each time of load: collections follow allocations, so that a process that has become
 * idle would keep what its load took. The collection takes a tenth of a second at most, while nothing waits for it.
 */
export function giveBackMemoryAtRest(): Disposable {
  let keptBytes = getHeapStatistics().total_physical_size;
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > restUtilizationMax) return;
    if (getHeapStatistics().total_physical_size - keptBytes < grownBytesMin) return;
    giveBackMemory();
    keptBytes = getHeapStatistics().total_physical_size;
    before = performance.eventLoopUtilization();
  }, restLookMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
