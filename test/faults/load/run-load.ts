import { setTimeout as pause } from 'node:timers/promises';
import { SeededRandom } from '../seeded-random.ts';
import { flows } from './flows.ts';
import type { Merchant } from './merchant.ts';

const pauseMinMs = 20;
const pauseMaxMs = 80;
/** Each flow happens at least this often, however soon the load is ended. */
const roundsMin = 3;

/** Every flow again and again until it is ended; each then finishes what it has begun. */
export interface Load {
  /** @throws what the first flow failed with that met an answer it should not have got */
  end(): Promise<void>;
}

export function startLoad(merchant: Merchant, seed: number): Load {
  const ending = new AbortController();
  const callers = Object.entries(flows).map(async ([name, flow], index) => {
    const random = new SeededRandom(seed * 100 + index);
    for (let round = 0; round < roundsMin || !ending.signal.aborted; round++) {
      await flow(merchant, `${name}-${round}`, random);
      await pause(random.integer(pauseMinMs, pauseMaxMs));
    }
  });
  // Looked at when the load ends; a failure before that must not end the process.
  const all = Promise.all(callers);
  all.catch(() => ending.abort());
  return {
    end: async () => {
      ending.abort();
      await all;
    },
  };
}
