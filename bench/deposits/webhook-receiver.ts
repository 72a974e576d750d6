import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { monotonicMs } from '../load/load.ts';

/** A merchant's server that answers every delivery at once and remembers what came. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  /** When the first delivery for each record arrived, by its id, on the machine's monotonic clock. */
  readonly arrivedAtMs: ReadonlyMap<string, number>;
  /** Deliveries, repetitions included. */
  readonly deliveries: () => number;
}

const payloadSchema = z.object({ data: z.object({ id: z.string() }) });

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const arrivedAtMs = new Map<string, number>();
  let deliveries = 0;
  const server = createServer((request, response) => {
    const atMs = monotonicMs();
    void recordIdOf(request).then((id) => {
      deliveries += 1;
      if (!arrivedAtMs.has(id)) arrivedAtMs.set(id, atMs);
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    arrivedAtMs,
    deliveries: () => deliveries,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

async function recordIdOf(request: IncomingMessage): Promise<string> {
  return payloadSchema.parse(JSON.parse(await text(request))).data.id;
}
