import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the range of outgoing connections (32768 and up), none of which can take the port of a program that is just being
// started or restarted, and below that of the local stack's processes.
const lowestPort = 10_000;
const highestPort = 20_000;

const handedOut = new Set<number>();

/** A TCP port on loopback that no process uses at the moment, handed out once per process. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowestPort, highestPort);
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    if (await canListenAt(port)) return port;
  }
}

async function canListenAt(port: number): Promise<boolean> {
  const server = createServer().listen({ port, host: '127.0.0.1', exclusive: true });
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
