import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fixedAuthorization } from '#src/http/authorization.ts';
import type { CallOutcome } from '#src/http/classify.ts';
import { ProviderClient } from '#src/http/provider-client.ts';
import { answerJson, ScriptedServer, type Script } from './scripted-server.ts';

const schema = z.object({ id: z.string() });
const authorization = fixedAuthorization('key');
let stack = new AsyncDisposableStack();

afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

async function callOf(baseUrl: URL, signal?: AbortSignal, callTimeoutMs = 2_000): Promise<CallOutcome<{ id: string }>> {
  const client = stack.use(new ProviderClient({ baseUrl, callTimeoutMs, nowMs: () => performance.now() }));
  return await client.call(authorization, { method: 'PUT', path: '/thing/1', body: { amount: 1 }, schema }, { signal });
}

async function answered(script: Script): Promise<CallOutcome<{ id: string }>> {
  return await callOf(stack.use(await ScriptedServer.start(script)).url);
}

describe('what never left is not_sent', () => {
  test('nobody listens', async () => {
    const gone = await ScriptedServer.start(() => undefined);
    await gone[Symbol.asyncDispose]();
    expect(await callOf(gone.url)).toMatchObject({ kind: 'not_sent', reason: 'unreachable' });
  });

  test('the name does not resolve', async () => {
    const outcome = await callOf(new URL('https://provider.invalid'));
    expect(outcome).toMatchObject({ kind: 'not_sent', reason: 'unreachable' });
  });

  test('the other side speaks no TLS', async () => {
    const server = stack.use(
      await ScriptedServer.start((_request, response) => answerJson(response, 200, { id: '1' })),
    );
    const outcome = await callOf(new URL(`https://localhost:${server.url.port}`));
    expect(outcome).toMatchObject({ kind: 'not_sent', reason: 'unreachable' });
    expect(server.requests).toHaveLength(0);
  });

  test('the deadline passes while the connection is being made', async () => {
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    stack.defer(() => void mute.close());
    const { port } = mute.address() as { port: number };
    expect(await callOf(new URL(`https://127.0.0.1:${port}`), undefined, 150)).toMatchObject({ kind: 'not_sent' });
  });

  test('the caller gave up before', async () => {
    const server = stack.use(
      await ScriptedServer.start((_request, response) => answerJson(response, 200, { id: '1' })),
    );
    expect(await callOf(server.url, AbortSignal.abort())).toMatchObject({ kind: 'not_sent', reason: 'aborted' });
    expect(server.requests).toHaveLength(0);
  });

  test('429, with the time to wait as far as it is told and believable', async () => {
    const throttled = (retryAfter: string) =>
      answered((_request, response) => answerJson(response, 429, {}, { 'retry-after': retryAfter }));
    expect(await throttled('7')).toMatchObject({ kind: 'not_sent', reason: 'throttled', retryAfterMs: 7_000 });
    expect(await throttled('999999')).toMatchObject({ reason: 'throttled', retryAfterMs: 3_600_000 });
    expect(await throttled('soon')).not.toHaveProperty('retryAfterMs');
  });

  test.each([401, 403])('%i: the provider does not know us', async (status) => {
    const outcome = await answered((_request, response) => answerJson(response, status, { error: 'who?' }));
    expect(outcome).toMatchObject({ kind: 'not_sent', reason: 'unauthorized' });
  });
});

describe('what may have arrived is unknown', () => {
  test('the connection breaks once the request is read', async () => {
    const outcome = await answered((_request, response) => void response.socket?.destroy());
    expect(outcome).toMatchObject({ kind: 'unknown' });
  });

  test('the answer breaks off', async () => {
    const outcome = await answered((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{"id":', () => response.socket?.destroy());
    });
    expect(outcome).toMatchObject({ kind: 'unknown' });
  });

  test('no answer within the deadline', async () => {
    const server = stack.use(await ScriptedServer.start(() => undefined));
    expect(await callOf(server.url, undefined, 150)).toMatchObject({ kind: 'unknown' });
  });

  test('an answer that trickles longer than the deadline', async () => {
    const server = stack.use(
      await ScriptedServer.start((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      }),
    );
    expect(await callOf(server.url, undefined, 200)).toMatchObject({ kind: 'unknown' });
  });

  test('the caller gives up while the provider works', async () => {
    const caller = new AbortController();
    const server = stack.use(await ScriptedServer.start(() => caller.abort()));
    expect(await callOf(server.url, caller.signal)).toMatchObject({ kind: 'unknown' });
  });

  test.each([500, 502, 503, 504, 408, 301, 307])('%i', async (status) => {
    const outcome = await answered((_request, response) =>
      answerJson(response, status, { error: 'x' }, status < 400 ? { location: '/elsewhere' } : {}),
    );
    expect(outcome).toMatchObject({ kind: 'unknown' });
  });

  test('a redirect is not followed', async () => {
    const server = stack.use(
      await ScriptedServer.start((_request, response) => answerJson(response, 307, {}, { location: '/elsewhere' })),
    );
    await callOf(server.url);
    expect(server.requests.map(({ path }) => path)).toEqual(['/thing/1']);
  });

  test('a good status with nonsense: the cause has its shape and none of its content', async () => {
    const outcome = await answered((_request, response) =>
      answerJson(response, 201, { id: 123, holder: { name: 'Maria', '12345678909': true } }),
    );
    expect(outcome).toMatchObject({ kind: 'unknown' });
    const { cause } = outcome as { cause: string };
    expect(cause).toContain('{id: number, holder: {name: string, ?: boolean}}');
    expect(cause).not.toMatch(/Maria|12345678909|123/);
  });

  test.each([
    ['no body', ''],
    ['HTML', '<html>Maria</html>'],
    ['half a JSON', '{"id":"Mar'],
  ])('a good status with %s', async (_name, body) => {
    const outcome = await answered((_request, response) => response.writeHead(200).end(body));
    expect(outcome).toMatchObject({ kind: 'unknown', cause: expect.not.stringContaining('Mar') as string });
  });

  test('a good status with a body without end', async () => {
    const outcome = await answered((_request, response) => {
      response.writeHead(200);
      response.end(`{"id":"${'x'.repeat(2 * 1024 * 1024)}"}`);
    });
    expect(outcome).toMatchObject({ kind: 'unknown', cause: expect.stringContaining('longer') as string });
  });

  test('a 4xx that is not JSON comes from somebody else', async () => {
    const outcome = await answered((_request, response) => response.writeHead(400).end('<html>blocked</html>'));
    expect(outcome).toMatchObject({ kind: 'unknown' });
  });
});

describe('what was answered', () => {
  test('a fitting body is the value', async () => {
    const outcome = await answered((_request, response) => answerJson(response, 201, { id: '1', more: true }));
    expect(outcome).toEqual({ kind: 'answered', value: { id: '1' } });
  });

  test.each([400, 404, 409, 422])('%i with a body is for the adapter to read', async (status) => {
    const outcome = await answered((_request, response) => answerJson(response, status, { nome: 'x' }));
    expect(outcome).toEqual({ kind: 'rejected', status, body: { nome: 'x' } });
  });
});

describe('a provider that is down', () => {
  test('is not asked again for a while', async () => {
    const server = stack.use(await ScriptedServer.start((_request, response) => answerJson(response, 500, {})));
    const client = stack.use(
      new ProviderClient({ baseUrl: server.url, callTimeoutMs: 2_000, nowMs: () => performance.now() }),
    );
    const call = () => client.call(authorization, { method: 'GET', path: '/', schema });
    for (let time = 0; time < 5; time += 1) expect(await call()).toMatchObject({ kind: 'unknown' });
    expect(await call()).toMatchObject({ kind: 'not_sent', reason: 'circuit_open' });
    expect(client.circuit).toBe('open');
    expect(server.requests).toHaveLength(5);
  });
});
