import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadResult } from './load.ts';

/** Generates load in a process of its own, the same one for every subject, so that it is equally warm for all. */
export interface LoadGenerator extends Disposable {
  /** One job at a time. */
  run(job: LoadJob): Promise<LoadResult>;
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(new URL('./load-process.ts', import.meta.url)), {
    serialization: 'advanced',
    env: process.env,
  });
  return {
    run: async (job) => {
      const ended = new AbortController();
      const answer = once(child, 'message', { signal: ended.signal }) as Promise<[LoadResult]>;
      const death = once(child, 'exit', { signal: ended.signal }).then(() => {
        throw new Error('the load generator ended before its job did');
      });
      child.send(job);
      try {
        const [result] = await Promise.race([answer, death]);
        return result;
      } finally {
        ended.abort();
        await Promise.allSettled([answer, death]);
      }
    },
    [Symbol.dispose]: () => child.disconnect(),
  };
}
