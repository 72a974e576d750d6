import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleEvent, signedDelivery, testSecret, type SignedDelivery } from '#src/testing/index.ts';
import { nodeWebhookListener, webhookHandler } from '#src/webhooks/index.ts';

const event = sampleEvent('deposit.paid');

describe('a receiver', () => {
  const handled: string[] = [];
  const errors: unknown[] = [];
  const claims = new Map<string, 'busy' | 'done'>();
  const seen = {
    claim: async (id: string) => {
      const found = claims.get(id);
      if (found === undefined) claims.set(id, 'busy');
      return found ?? 'new';
    },
    done: async (id: string) => void claims.set(id, 'done'),
    release: async (id: string) => void claims.delete(id),
  };
  let failing = false;
  const options = {
    secret: testSecret,
    on: ({ id }: { readonly id: string }) => {
      if (failing) throw new Error('the database of the shop is away');
      handled.push(id);
    },
    seen,
    onError: (error: unknown) => errors.push(error),
  };
  const listener = nodeWebhookListener(options);
  const server = createServer((request: IncomingMessage, response: ServerResponse) => void listener(request, response));
  let url: string;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '';
  });
  afterAll(() => server.close());

  const send = async (signed: SignedDelivery) => {
    const response = await fetch(url, { method: 'POST', ...signed });
    return response.status;
  };

  test('handles an event once, again after a failure, and refuses what is not signed', async () => {
    const signed = await signedDelivery({ secret: testSecret, event });
    failing = true;
    expect(await send(signed)).toBe(500);
    failing = false;
    expect([await send(signed), await send(signed), await send(signed)]).toEqual([200, 200, 200]);
    expect(handled).toEqual([event.id]);
    expect(await send({ ...signed, body: `${signed.body} ` })).toBe(401);
    expect(await send({ ...signed, body: 'x'.repeat(1_100_000) })).toBe(413);
    const noEvent = await signedDelivery({ secret: testSecret, event: { id: 'evt_1' } });
    expect(await send(noEvent)).toBe(400);
    expect(errors.map(String)).toEqual([
      'Error: the database of the shop is away',
      expect.stringContaining('SignatureError'),
      expect.stringContaining('no event'),
    ]);
  });

  const signedRequest = async () => {
    const signed = await signedDelivery({ secret: testSecret, event });
    return new Request('http://shop.example/hooks', { method: 'POST', ...signed });
  };
  const answerBy = async (changed: object): Promise<Response> =>
    webhookHandler({ secret: testSecret, on: () => undefined, ...changed })(await signedRequest());
  const refuse = (text: string) => () => {
    throw new Error(text);
  };

  test('whose process ends within the handling loses no event: the next delivery waits for the claim to expire', async () => {
    const ids = new Map<string, { readonly until: number } | 'done'>();
    const clock = { now: 0 };
    const expiring = {
      claim: (id: string) => {
        const found = ids.get(id);
        if (found === 'done') return 'done' as const;
        if (found !== undefined && found.until > clock.now) return 'busy' as const;
        ids.set(id, { until: clock.now + 300 });
        return 'new' as const;
      },
      done: (id: string) => void ids.set(id, 'done'),
      release: (id: string) => void ids.delete(id),
    };
    // As a process that ended after its claim left it.
    expiring.claim(event.id);
    let count = 0;
    const on = () => void (count += 1);
    expect([(await answerBy({ seen: expiring, on })).status, count]).toEqual([503, 0]);
    clock.now = 301;
    expect([(await answerBy({ seen: expiring, on })).status, count]).toEqual([200, 1]);
    clock.now = 1_000;
    expect([(await answerBy({ seen: expiring, on })).status, count]).toEqual([200, 1]);
  });

  test('frees what its handler has thrown at, keeps what was handled, and sees where a claim cannot be ended', async () => {
    const calls: string[] = [];
    const kept = {
      claim: () => 'new' as const,
      done: () => void calls.push('done'),
      release: () => void calls.push('release'),
    };
    const seenErrors: string[] = [];
    const onError = (error: unknown) => void seenErrors.push(String(error));
    expect((await answerBy({ seen: kept, onError, on: refuse('away') })).status).toBe(500);
    expect((await answerBy({ seen: kept, onError })).status).toBe(200);
    expect(calls).toEqual(['release', 'done']);
    // Also where what it throws cannot be reported.
    expect((await answerBy({ seen: kept, onError: refuse('the log'), on: refuse('away') })).status).toBe(500);
    expect(calls).toEqual(['release', 'done', 'release']);
    expect((await answerBy({ seen: { ...kept, release: refuse('kept') }, onError, on: refuse('away') })).status).toBe(
      500,
    );
    // It was handled: to be delivered again would only repeat that.
    expect((await answerBy({ seen: { ...kept, done: refuse('not kept') }, onError })).status).toBe(200);
    expect(seenErrors).toEqual(['Error: away', 'Error: away', 'Error: kept', 'Error: not kept']);
  });

  test('answers a Request with a Response, and 500 where claims cannot be kept or are of another kind', async () => {
    expect((await answerBy({ on: options.on })).status).toBe(200);
    const away = { ...seen, claim: () => Promise.reject(new Error('the database is away')) };
    expect((await answerBy({ seen: away })).status).toBe(500);
    const faults: unknown[] = [];
    const old = { ...seen, claim: () => true };
    expect((await answerBy({ seen: old, onError: (error: unknown) => faults.push(error) })).status).toBe(500);
    expect(String(faults[0])).toContain("claim has to answer { token }, 'new', 'busy' or 'done', and answered true");
  });

  test.each([
    ['undefined', undefined, 'is undefined'],
    ['empty', '', 'is empty'],
    ['no secret', [], 'is an empty list'],
    ['a key of the API', 'sk_test_5eecret0f4rea1merchant', 'is a key of the API'],
    ['with a line end', `${testSecret}\n`, 'has a space or line end around it'],
    ['another text', 'a text that is long enough', 'does not begin with whsec_'],
  ])('is not made with a secret that is %s, and says which it needs', (_, secret, fault) => {
    for (const make of [webhookHandler, nodeWebhookListener]) {
      const making = () => make({ secret: secret as string, on: () => undefined });
      expect(making).toThrow(TypeError);
      expect(making).toThrow(`secret ${fault}: it has to be the whsec_… of the webhook`);
    }
  });

  test('is not made with a seen that cannot end a claim', () => {
    const making = () =>
      webhookHandler({ secret: testSecret, on: () => undefined, seen: { ...seen, done: undefined as never } });
    expect(making).toThrow('seen has no function done(id)');
  });

  test('behind a parser says that it needs the bytes, and takes them from express.raw()', async () => {
    const signed = await signedDelivery({ secret: testSecret, event: { ...event, id: 'evt_parsed' } });
    const parsers = [
      (bytes: Buffer) => JSON.parse(bytes.toString()) as unknown,
      () => undefined,
      (bytes: Buffer) => new Uint8Array(bytes),
    ];
    const answers: string[] = [];
    for (const parse of parsers) {
      const behind = createServer((request: IncomingMessage & { body?: unknown }, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          request.body = parse(Buffer.concat(chunks));
          void nodeWebhookListener({ secret: testSecret, on: () => undefined })(request, response);
        });
      });
      await once(behind.listen(0, '127.0.0.1'), 'listening');
      const { port } = behind.address() as { readonly port: number };
      const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', ...signed });
      answers.push(`${response.status} ${await response.text()}`);
      behind.close();
    }
    const notSetUp: unknown = expect.stringMatching(/^500 the receiver is not set up: .*express\.raw/);
    expect(answers).toEqual([notSetUp, notSetUp, '200 handled']);
    const read = await signedRequest();
    await read.text();
    const response: Response = await webhookHandler({ secret: testSecret, on: () => undefined })(read);
    expect(response.status).toBe(500);
  });

  test('outlives a sender that goes away within the body, and refuses what is too large, in both of its forms', async () => {
    const faults: unknown[] = [];
    const on = () => undefined;
    const onError = (error: unknown) => void faults.push(error);
    const receive = nodeWebhookListener({ secret: testSecret, on, onError });
    const ends: Promise<void>[] = [];
    const behind = createServer((request, response) => void ends.push(receive(request, response)));
    await once(behind.listen(0, '127.0.0.1'), 'listening');
    const { port } = behind.address() as { readonly port: number };
    const asked = once(behind, 'request');
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nhost: shop.example\r\ncontent-length: 100\r\n\r\n{"id"');
    await asked;
    socket.destroy();
    await expect.poll(() => faults.length).toBe(1);
    // A promise that was rejected would end the process of a server that does not wait for it.
    expect(await Promise.allSettled(ends)).toEqual([{ status: 'fulfilled', value: undefined }]);
    behind.close();
    const request = (arrayBuffer: () => Promise<ArrayBuffer>) => ({ headers: new Headers(), arrayBuffer });
    const handler = webhookHandler({ secret: testSecret, on, onError });
    const cut: Response = await handler(request(() => Promise.reject(new Error('the connection was lost'))));
    expect([cut.status, await cut.text(), String(faults[1])]).toEqual([
      400,
      'the body has not come whole',
      'Error: the connection was lost',
    ]);
    const large: Response = await handler(request(() => Promise.resolve(new ArrayBuffer(1_100_000))));
    expect(large.status).toBe(413);
  });

  test('reads of a body that never ends no more than an event may have, and nothing of one that says it is larger', async () => {
    const pieceBytes = 65_536;
    let pieces = 0;
    let isEnded = false;
    const endless = () =>
      new ReadableStream<Uint8Array>(
        {
          pull: (controller) => {
            pieces += 1;
            if (pieces > 100) controller.error(new Error('it was read on and on'));
            else controller.enqueue(new Uint8Array(pieceBytes));
          },
          cancel: () => void (isEnded = true),
        },
        { highWaterMark: 0 },
      );
    const handler = webhookHandler({ secret: testSecret, on: () => undefined });
    const answered = async (headers: Readonly<Record<string, string>>) => {
      const response: Response = await handler(
        new Request('http://shop.example/hooks', { method: 'POST', body: endless(), headers, duplex: 'half' }),
      );
      return response.status;
    };
    expect(await answered({ 'content-length': '1048577' })).toBe(413);
    expect([pieces, isEnded]).toEqual([0, false]);
    expect(await answered({})).toBe(413);
    expect([pieces, isEnded]).toEqual([1_048_576 / pieceBytes + 1, true]);
  });

  test('takes an event as large as one may be, in whatever pieces it comes', async () => {
    const empty = JSON.stringify({ ...event, padding: '' });
    const largest = { ...event, padding: 'x'.repeat(1_048_576 - empty.length) };
    const signed = await signedDelivery({ secret: testSecret, event: largest });
    expect(signed.body.length).toBe(1_048_576);
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode(signed.body.slice(at, at + 99_991)));
        at += 99_991;
        if (at >= signed.body.length) controller.close();
      },
    });
    const handler = webhookHandler({ secret: testSecret, on: () => undefined });
    const response: Response = await handler(
      new Request('http://shop.example/hooks', { method: 'POST', body, headers: signed.headers, duplex: 'half' }),
    );
    expect([response.status, await response.text()]).toEqual([200, 'handled']);
  });
});
