import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadResult } from '../load/load.ts';

export interface SendingJob {
  readonly origins: readonly string[];
  readonly path: string;
  readonly connections: number;
  readonly durationMs: number;
}

/** A loop of signed posts in a process of its own. */
export interface BareSender extends Disposable {
  run(job: SendingJob): Promise<LoadResult>;
}

export function startBareSender(env: Readonly<Record<string, string>> = {}): BareSender {
  const child = fork(fileURLToPath(new URL('./bare-sender-process.ts', import.meta.url)), {
    serialization: 'advanced',
    env: { ...process.env, ...env },
  });
  return {
    run: async (job) => {
      const answer = once(child, 'message') as Promise<[LoadResult]>;
      child.send(job);
      return (await answer)[0];
    },
    [Symbol.dispose]: () => child.disconnect(),
  };
}
