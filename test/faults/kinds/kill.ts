import { eventually } from '@gateway/test-kit';
import type { Fault } from './fault.ts';

const restartTimeoutMs = 30_000;

/** kill -9 of a process; its supervisor starts it again. */
export const kill: Fault = {
  name: 'kill',
  victims: ({ services }) => [...services, 'psp-simulator'],
  strike: async ({ stage: { stack }, victim }) => {
    const restarts = stack.restartCount(victim);
    stack.process(victim).kill('SIGKILL');
    await eventually(
      () => {
        if (stack.restartCount(victim) <= restarts) throw new Error(`${victim} was not started again`);
      },
      { timeoutMs: restartTimeoutMs },
    );
  },
};
