import { setFlagsFromString } from 'node:v8';
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
