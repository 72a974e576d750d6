import { rm } from 'node:fs/promises';
import { becomeReady } from '#src/processes/readiness.ts';
import type { SupervisedProcess } from '#src/processes/supervised-process.ts';

const readyDeadlineMs = 60_000;

/** A server of the stack that a test may take away and bring back. Rejects when the stack uses a server that it did not start. */
export interface ManagedServer {
  /** Ends it in good order; it stays away until `start`. */
  stop(): Promise<void>;
  /** Kills it as a crash would; it stays away until `start`. */
  kill(): Promise<void>;
  /** Starts it on the same port and waits until it answers. */
  start(): Promise<void>;
  /** In good order, or as after a crash. */
  restart(how?: 'orderly' | 'crash'): Promise<void>;
  /** Removes all it has stored. It must be stopped. */
  loseData(): Promise<void>;
}

export function managedServer(
  name: string,
  child: SupervisedProcess | undefined,
  storeDirectory?: string,
): ManagedServer {
  const own = (): SupervisedProcess => {
    if (child === undefined) throw new Error(`this stack does not manage its ${name}`);
    return child;
  };
  const server: ManagedServer = {
    stop: async () => own().stop(),
    kill: async () => own().stop('SIGKILL'),
    start: async () => {
      await own().start();
      await becomeReady([own()], { deadlineMs: readyDeadlineMs });
    },
    restart: async (how = 'orderly') => {
      await (how === 'crash' ? server.kill() : server.stop());
      await server.start();
    },
    loseData: async () => {
      if (storeDirectory === undefined) throw new Error(`the data of ${name} cannot be lost`);
      if (own().pid !== undefined) throw new Error(`stop ${name} before its data is removed`);
      await rm(storeDirectory, { recursive: true, force: true });
    },
  };
  return server;
}
