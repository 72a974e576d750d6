import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A part of a benchmark in a process of its own, so that it does not compete with what it measures for one thread. */
export interface Child<Job, Answer> extends Disposable {
  /**
   * One job at a time.
   *
   * @throws Error when the process ends before it has answered
   */
  run(job: Job): Promise<Answer>;
}

/** @param script the URL of a module that calls `answerParent` */
export function startChild<Job extends object, Answer>(
  script: URL,
  env: Readonly<Record<string, string>> = {},
): Child<Job, Answer> {
  const child = fork(fileURLToPath(script), { serialization: 'advanced', env: { ...process.env, ...env } });
  return {
    run: async (job) => {
      const answered = new AbortController();
      const answer = once(child, 'message', { signal: answered.signal }) as Promise<[Answer]>;
      const end = once(child, 'exit', { signal: answered.signal }).then(() => {
        throw new Error(`${script.pathname} ended before its job did`);
      });
      child.send(job);
      try {
        return (await Promise.race([answer, end]))[0];
      } finally {
        answered.abort();
        await Promise.allSettled([answer, end]);
      }
    },
    [Symbol.dispose]: () => child.disconnect(),
  };
}

/** In the child: answers every job of the parent, and ends with it. */
export function answerParent<Job, Answer>(answer: (job: Job) => Promise<Answer>): void {
  process.on('message', (job: Job) => {
    void answer(job).then((result) => process.send?.(result));
  });
  process.on('disconnect', () => process.exit(0));
}
