import { StartFailure, type Progress } from '#src/progress.ts';

/** How Node, PostgreSQL and nats-server say that another process listens there. */
const portTaken = /EADDRINUSE|address already in use/i;

/**
 * Starts once more, on other ports, what has failed because one of those that were free a moment ago is taken by now: a port is
 * free until the process that it was picked for listens.
 */
export async function onOtherPorts<T>(progress: Progress, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof StartFailure && portTaken.test(error.message))) throw error;
    progress('a port was taken meanwhile; starting once more on other ones …');
    return await start();
  }
}
