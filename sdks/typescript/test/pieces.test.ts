import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Gateway, Options } from '#src/index.ts';
import { clientOf } from './support/client.ts';
import { HttpServer } from './support/http-server.ts';

let server: HttpServer;
beforeAll(async () => {
  server = await HttpServer.start();
});
afterAll(async () => server[Symbol.asyncDispose]());

const caught = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

describe('an answer that is read piece by piece', () => {
  const reason = new Error('the shop closes');
  const gone = () => expect.poll(() => server.stalled).toBe(0);

  test('ends with the signal of its call, with the connection', async () => {
    server.reply('stall');
    const controller = new AbortController();
    let pieces = 0;
    const walk = async () => {
      const rows = await clientOf(server.url).transactions.csv({}, { signal: controller.signal });
      for await (const bytes of rows) pieces += Math.sign(bytes.length);
    };
    const walked = caught(walk());
    await expect.poll(() => pieces).toBe(1);
    controller.abort(reason);
    expect(await walked).toBe(reason);
    await gone();
  });

  test('ends when no more of it comes within the time of an attempt, and when its connection is lost', async () => {
    const walk = async () => {
      const rows = await clientOf(server.url, { timeoutMs: 1_000 }).transactions.csv();
      for await (const bytes of rows) expect(bytes.length).toBeGreaterThan(0);
    };
    server.reply('stall');
    expect(await caught(walk())).toMatchObject({ name: 'TimeoutError', attempts: 1 });
    await gone();
    server.reply('cut');
    expect(await caught(walk())).toMatchObject({ name: 'ConnectionError', sent: true, cause: { name: 'TypeError' } });
    server.reply({ text: 'id,amount_cents\n1,2\n' });
    await walk();
  });

  test('and is broken out of leaves no connection behind', async () => {
    server.reply('stall');
    for await (const bytes of await clientOf(server.url).transactions.csv()) if (bytes.length > 0) break;
    await gone();
  });

  test('ends with the signal of its call when the caller has it unread', async () => {
    server.reply('stall');
    const controller = new AbortController();
    const unread = await clientOf(server.url).balance.get(undefined, { signal: controller.signal }).raw();
    const text = caught(unread.text());
    controller.abort(reason);
    expect(await text).toBeInstanceOf(Error);
    await gone();
  });

  test.each<[string, (client: Gateway, options: Options) => PromiseLike<unknown>]>([
    ['piece by piece', ({ transactions }, options) => transactions.csv({}, options)],
    ['by the caller', ({ balance }, options) => balance.get({}, options).raw()],
    ['as a stream of events', ({ events }, options) => events.stream(options).next()],
  ])('%s is ended where the hook onResponse throws, and the error is that of the hook', async (_, ask) => {
    server.reply('stall');
    const onResponse = () => {
      throw reason;
    };
    const { signal } = new AbortController();
    expect(await caught(Promise.resolve(ask(clientOf(server.url, { onResponse }), { signal })))).toBe(reason);
    expect([server.seen.length, getEventListeners(signal, 'abort')]).toEqual([1, []]);
    await gone();
  });

  test('is ended where it is no stream of events', async () => {
    server.reply('stall');
    const error = await caught(clientOf(server.url).events.stream().next());
    expect(String(error)).toContain('ConnectionError: the answer is no stream of events');
    await gone();
  });
});
