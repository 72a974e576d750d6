import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the kernel's ephemeral range (32768 and up): an outgoing connection can never take the port of a process that
// is just being restarted.
const lowestPort = 20_000;
const highestPort = 32_000;
const attemptsMax = 200;

const handedOut = new Set<number>();

/** A TCP port that is not in use, handed out once per process. Another process may still take it before it is used. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const port = randomInt(lowestPort, highestPort);
    if (handedOut.has(port) || (await listenError(port, host)) !== undefined) continue;
    handedOut.add(port);
    return port;
  }
  throw new Error(`no free TCP port found on ${host} in ${attemptsMax} attempts`);
}

/** Why it is impossible to listen there now, as the system's error code (`EADDRINUSE`); undefined when it is possible. */
export function listenError(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
