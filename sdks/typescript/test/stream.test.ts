import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ApiError, ConnectionError } from '#src/index.ts';
import { follow } from '#src/core/follow.ts';
import { SseParser } from '#src/core/sse.ts';
import { clientOf } from './support/client.ts';

type Connection = (response: ServerResponse, request: IncomingMessage) => void;
let stopping = new AsyncDisposableStack();
afterEach(async () => {
  await stopping.disposeAsync();
  stopping = new AsyncDisposableStack();
});

/** A gateway whose connections do one after the other as they are given, the last one for all others. */
async function streaming(...connections: Connection[]) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const connection = connections[Math.min(seen.length, connections.length - 1)];
    seen.push(request);
    connection?.(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stopping.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const frame = (id: string) => `id: ${id}\nevent: deposit.paid\ndata: {"id":"${id}"}\n\n`;
const begin = (response: ServerResponse, text = '') => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(`retry: 1\n${text === '' ? '' : text}\n`);
  return response;
};
const refused =
  (status: number, code: string, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(JSON.stringify({ error: { code, message: code } }));

async function idsOf(events: AsyncIterable<{ readonly id: string }>, until: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of events) {
    ids.push(id);
    if (id === until) break;
  }
  return ids;
}

test('the bytes of a stream are read wherever they are cut, whatever ends its lines', () => {
  const text =
    ': hello\r\nretry: 7\r\n\r\nid: evt_1\rdata: {"a":\rdata: "é€😀"}\r\rid: evt_2\ndata:no space\n\nid: evt_3\ndata: half';
  const bytes = new TextEncoder().encode(text);
  const whole = new SseParser(undefined).read(bytes);
  expect(whole).toEqual([
    { id: undefined, comment: 'hello' },
    { id: 'evt_1', data: '{"a":\n"é€😀"}' },
    { id: 'evt_2', data: 'no space' },
  ]);
  const parser = new SseParser(undefined);
  expect([...bytes].flatMap((byte) => parser.read(Uint8Array.of(byte)))).toEqual(whole);
  expect([parser.id, parser.retryMs]).toEqual(['evt_2', 7]);
});

test('a stream that is cut goes on after the last whole event, by one connection after the other', async () => {
  const { url, seen } = await streaming(
    (response) =>
      begin(response).write(`${frame('evt_1')}${frame('evt_2')}id: evt_3\ndata: {"id"`, () => response.destroy()),
    refused(503, 'SERVICE_UNAVAILABLE'),
    (response) => void begin(response).end(frame('evt_3')),
    (response, { socket }) => void (response.writeHead(200), socket.destroy()),
    (response) => void begin(response).write(frame('evt_4')),
  );
  const events = clientOf(url).events.stream({ events: ['deposit.*'], dataId: 'dep_1' });
  expect(await idsOf(events, 'evt_4')).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4']);
  expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'evt_2', 'evt_2', 'evt_3', 'evt_3']);
  expect(seen[0]?.url).toBe('/v1/events/stream?event=deposit.*&data_id=dep_1');
  expect(seen[0]?.headers).toMatchObject({ accept: 'text/event-stream', 'x-api-version': '0.1' });
});

test('a stream that was cut before its first event goes on where it began', async () => {
  const { url, seen } = await streaming(
    (response) => begin(response, 'id: evt_0\n').write(':\n\n', () => response.destroy()),
    (response) => void begin(response).write(frame('evt_1')),
  );
  expect(await idsOf(clientOf(url).events.stream(), 'evt_1')).toEqual(['evt_1']);
  expect(seen[1]?.headers['last-event-id']).toBe('evt_0');
});

test('a stream that was told how far its filter has looked goes on there', async () => {
  const { url, seen } = await streaming(
    (response) => begin(response).write(`${frame('evt_1')}:\n\nid: evt_7\n:\n\n:\n\n:\n\n`, () => response.destroy()),
    (response) => void begin(response).write(`${frame('evt_8')}:\n\n`),
  );
  const places: string[] = [];
  const events = clientOf(url).events.stream({ after: 'evt_0', onPlace: (id) => void places.push(id) });
  expect([await idsOf(events, 'evt_8'), places]).toEqual([['evt_1', 'evt_8'], ['evt_7']]);
  expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual(['evt_0', 'evt_7']);
});

test('a stream with follow: false ends where it has caught up, and not where the gateway ends it before', async () => {
  const { url, seen } = await streaming(
    (response) => void begin(response).end(frame('evt_2')),
    (response) => void begin(response).end(`${frame('evt_3')}: caught up\n\n`),
  );
  const events = clientOf(url).events.stream({ after: 'evt_1', follow: false });
  expect(await idsOf(events, '')).toEqual(['evt_2', 'evt_3']);
  expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual(['evt_1', 'evt_2']);
});

test('a silent connection is given up for another one', async () => {
  const opened: (string | undefined)[] = [];
  const { url } = await streaming(
    (response) => void begin(response).write(frame('evt_1')),
    (response) => void begin(response).write(frame('evt_2')),
  );
  const open = async (lastEventId: string | undefined) => {
    opened.push(lastEventId);
    return await fetch(url);
  };
  const data: string[] = [];
  for await (const each of follow({ open, after: undefined, signal: undefined, silenceMs: 50 })) {
    data.push(each);
    if (data.length === 2) break;
  }
  expect([data, opened]).toEqual([
    ['{"id":"evt_1"}', '{"id":"evt_2"}'],
    [undefined, 'evt_1'],
  ]);
});

test('a refusal that will not pass ends the walk, and so does what the first connection fails with', async () => {
  const old = await streaming(
    (response) => begin(response).write(frame('evt_1'), () => response.destroy()),
    refused(400, 'VALIDATION_ERROR'),
  );
  await expect(idsOf(clientOf(old.url).events.stream(), '')).rejects.toBeInstanceOf(ApiError);
  const busy = await streaming(refused(429, 'RATE_LIMITED', { 'retry-after': '120' }));
  await expect(clientOf(busy.url).events.stream().next()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  const proxy = await streaming((response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'));
  await expect(clientOf(proxy.url).events.stream().next()).rejects.toBeInstanceOf(ConnectionError);
});

test('break and an abort end the connection, the abort with its own reason', async () => {
  const closed: string[] = [];
  const { url, seen } = await streaming((response, request) => {
    request.socket.once('close', () => closed.push('closed'));
    begin(response).write(frame('evt_1'));
  });
  await idsOf(clientOf(url).events.stream(), 'evt_1');
  await expect.poll(() => closed).toHaveLength(1);
  const aborting = new AbortController();
  const events = clientOf(url).events.stream({ signal: aborting.signal });
  await events.next();
  const waiting = events.next();
  const reason = new Error('enough');
  aborting.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect.poll(() => closed).toHaveLength(2);
  expect(seen).toHaveLength(2);
});
