import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Json } from './merchant-client.ts';

export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  readonly body: Json;
}

export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** Deliveries of one event for one record. */
  of(event: string, dataId: string): ReceivedWebhook[];
}

/** A merchant's endpoint on loopback that keeps what it got, and answers 200, with another status, or with that of the moment. */
export async function startWebhookReceiver(
  status: number | (() => number) = 200,
  headers: Readonly<Record<string, string>> = {},
): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const rawBody = Buffer.concat(chunks);
      received.push({ headers: request.headers, rawBody, body: JSON.parse(rawBody.toString('utf8')) });
      response.writeHead(typeof status === 'number' ? status : status(), headers).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver listens on no TCP port');
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    received,
    of: (event, dataId) => received.filter(({ body }) => body.event === event && body.data.id === dataId),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a receiver checks (spec 6): HMAC-SHA256 of `{timestamp}.{raw body}`, constant time, not older than 300 s. */
export function signatureHolds(webhook: ReceivedWebhook, secret: string): boolean {
  const timestamp = String(webhook.headers['x-gateway-timestamp']);
  const given = Buffer.from(String(webhook.headers['x-gateway-signature']));
  const mac = createHmac('sha256', secret).update(`${timestamp}.`).update(webhook.rawBody).digest('hex');
  const expected = Buffer.from(`sha256=${mac}`);
  const fresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
  return fresh && given.length === expected.length && timingSafeEqual(given, expected);
}
