import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { streams, type StreamContract } from '@gateway/contracts/broker';
import { DomainError } from '@gateway/contracts/errors';
import { defineCommand, defineRpc } from '@gateway/contracts/messages';
import { Neighbours } from '@gateway/runtime';
import { createTestBus, eventually, silentLogger } from '@gateway/test-kit';
import type { Bus } from '#src/bus/bus.ts';
import { ensureStreams } from '#src/bus/streams.ts';
import { LedgerCommandClient, replyToHeader } from '#src/ledger-client/ledger-command-client.ts';
import { callRpc } from '#src/rpc/call-rpc.ts';
import { answering, serveRpc, type RpcCall } from '#src/rpc/serve-rpc.ts';

const getHalf = defineRpc({
  subject: 'rpc.deposits.get-half.v1',
  owner: 'deposits',
  request: z.object({ number: z.int() }),
  reply: z.object({ half: z.int() }),
});
type Handle = (request: { number: number }, call: RpcCall) => Promise<{ half: number }>;

let bus: Bus;
let stack: AsyncDisposableStack;
beforeEach(async () => {
  bus = await createTestBus();
  stack = new AsyncDisposableStack();
  stack.use(bus);
});
afterEach(async () => stack.disposeAsync());

const refusalOf = async (call: Promise<unknown>): Promise<DomainError> => {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (error instanceof DomainError) return error;
  throw new Error(`expected a refusal, got ${String(error)}`);
};

/** How a question reaches the service that answers it. */
const layouts = [
  { where: 'between processes, over the broker', neighboursOf: () => undefined },
  { where: 'within one process, past the broker', neighboursOf: () => new Neighbours() },
];

describe.each(layouts)('an rpc $where', ({ neighboursOf }) => {
  let answeringBus: Bus;
  let published: () => string[];
  beforeEach(async () => {
    const neighbours = neighboursOf();
    bus = stack.use(await createTestBus({ name: 'api-gateway', neighbours }));
    answeringBus = stack.use(await createTestBus({ name: 'deposits', neighbours }));
    const publish = vi.spyOn(bus.connection, 'publish');
    published = () => publish.mock.calls.map(([subject]) => subject).filter((subject) => subject === getHalf.subject);
  });

  const serve = async (handle: Handle) =>
    stack.use(await serveRpc(answeringBus, [answering(getHalf, handle)], silentLogger));

  test('takes the way of its layout', async () => {
    await serve(async ({ number }) => ({ half: number / 2 }));
    await callRpc(bus, getHalf, { number: 8 });
    expect(published()).toEqual(neighboursOf() ? [] : [getHalf.subject]);
  });

  test('hands neither side an object of the other', async () => {
    const asked = { number: 8 };
    const reply = { half: 4 };
    const seen: object[] = [];
    await serve(async (request) => {
      seen.push(request);
      return reply;
    });
    const answer = await callRpc(bus, getHalf, asked);
    expect(seen[0]).not.toBe(asked);
    answer.half = 5;
    expect(reply).toEqual({ half: 4 });
  });

  test('is answered outside whatever its caller works within, a transaction or a trace', async () => {
    const work = new AsyncLocalStorage<string>();
    const within: (string | undefined)[] = [];
    await serve(async () => {
      within.push(work.getStore());
      return { half: 0 };
    });
    await work.run('the work of the caller', async () => {
      await callRpc(bus, getHalf, { number: 2 });
      within.push(work.getStore());
    });
    expect(within).toEqual([undefined, 'the work of the caller']);
  });

  test('of a service that may not ask is left to the broker, which refuses it', async () => {
    await serve(async () => ({ half: 0 }));
    const neighbours = bus.neighbours;
    const stranger = stack.use(await createTestBus({ name: 'webhooks', neighbours }));
    const publish = vi.spyOn(stranger.connection, 'publish');
    await callRpc(stranger, getHalf, { number: 2 });
    expect(publish.mock.calls.map(([subject]) => subject)).toContain(getHalf.subject);
  });

  test('is refused as soon as the broker is away: what it leads to could not be sent', async () => {
    await serve(async () => ({ half: 0 }));
    vi.spyOn(bus, 'connected', 'get').mockReturnValue(false);
    expect(await refusalOf(callRpc(bus, getHalf, { number: 2 }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      received: 'no',
    });
  });

  test('is answered by a service that stops, and no later one is taken', async () => {
    const answered = Promise.withResolvers<{ half: number }>();
    const arrived = Promise.withResolvers<void>();
    const served = await serveRpc(
      answeringBus,
      [answering(getHalf, () => (arrived.resolve(), answered.promise))],
      silentLogger,
    );
    const first = callRpc(bus, getHalf, { number: 8 });
    await arrived.promise;
    const stopped = served[Symbol.asyncDispose]();
    await answeringBus.ping();
    const second = await refusalOf(callRpc(bus, getHalf, { number: 8 }, { listenerTimeoutMs: 0 }));
    expect(second).toMatchObject({ code: 'SERVICE_UNAVAILABLE', received: 'no' });
    answered.resolve({ half: 4 });
    expect(await first).toEqual({ half: 4 });
    await stopped;
  });

  test('answers, and refuses with code, details and extras as thrown', async () => {
    await serve(async ({ number }) => {
      if (number % 2 === 0) return { half: number / 2 };
      const details = [{ path: 'number', message: 'must be even' }];
      throw new DomainError('INVALID_STATE', 'odd', { details, extra: { payout_id: 'p' }, retryAfterSec: 3 });
    });
    expect(await callRpc(bus, getHalf, { number: 8 })).toEqual({ half: 4 });
    expect(await refusalOf(callRpc(bus, getHalf, { number: 7 }))).toMatchObject({
      code: 'INVALID_STATE',
      message: 'odd',
      details: [{ path: 'number', message: 'must be even' }],
      extra: { payout_id: 'p' },
      retryAfterSec: 3,
    });
  });

  test('names the field of a request that does not fit', async () => {
    await serve(async () => ({ half: 0 }));
    const refusal = await refusalOf(callRpc(bus, getHalf, { number: 1.5 }));
    expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'number' }] });
  });

  test('keeps the message of a bug to itself', async () => {
    await serve(async () => {
      throw new Error('secret internals');
    });
    const refusal = await refusalOf(callRpc(bus, getHalf, { number: 2 }));
    expect(refusal.code).toBe('INTERNAL_ERROR');
    expect(refusal.message).not.toContain('secret');
  });

  test('whose service lost its database is SERVICE_UNAVAILABLE, however the loss came to light', async () => {
    await serve(async () => {
      throw new Error('wrapped', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
    });
    expect(await refusalOf(callRpc(bus, getHalf, { number: 2 }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSec: 1,
    });
  });

  test('is SERVICE_UNAVAILABLE when nobody serves it, and when nobody answers in time', async () => {
    const unheard = await refusalOf(callRpc(bus, getHalf, { number: 2 }, { listenerTimeoutMs: 0 }));
    expect(unheard).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSec: 1, received: 'no' });
    expect(unheard.message).toBe('the deposits service is not there');
    await serve(
      (_request, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ half: 0 }))),
    );
    const late = await refusalOf(callRpc(bus, getHalf, { number: 2 }, { timeoutMs: 50 }));
    expect(late).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSec: 1, received: 'unknown' });
    expect(late.message).toBe('the deposits service did not answer in time');
  });

  test('that nobody serves yet is put again, once somebody listens, with the time that is left', async () => {
    const asked = vi.spyOn(bus, 'request');
    const patient = { timeoutMs: 30_000, listenerTimeoutMs: 30_000 };
    const answer = callRpc(bus, getHalf, { number: 8 }, patient);
    await eventually(async () => expect(await asked.mock.results[0]?.value).toBe('no-listener'));
    const waited: number[] = [];
    await serve(async ({ number }, { timeoutMs }) => {
      waited.push(timeoutMs);
      return { half: number / 2 };
    });
    expect(await answer).toEqual({ half: 4 });
    expect(waited).toHaveLength(1);
    expect(waited[0]).toBeLessThan(patient.timeoutMs);
  });

  test('of two questions of one request the second has what the first has left', async () => {
    const waited: number[] = [];
    await serve(async ({ number }, { timeoutMs }) => {
      waited.push(timeoutMs);
      return { half: number / 2 };
    });
    let nowMs = 0;
    const timed = bus.within(10_000, () => nowMs);
    await callRpc(timed, getHalf, { number: 2 });
    nowMs = 4_000;
    await callRpc(timed, getHalf, { number: 4 });
    await callRpc(timed, getHalf, { number: 6 }, { timeoutMs: 1_000 });
    expect(waited).toEqual([10_000, 6_000, 1_000]);
    nowMs = 10_000;
    const refusal = await refusalOf(callRpc(timed, getHalf, { number: 8 }));
    expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSec: 1, received: 'no' });
    expect(waited).toHaveLength(3);
  });
});

test('an answer that is larger than the broker takes is an error at once', async () => {
  const getText = defineRpc({
    subject: 'rpc.deposits.get-text.v1',
    owner: 'deposits',
    request: z.object({ characters: z.int() }),
    reply: z.object({ text: z.string() }),
  });
  const answer = async ({ characters }: { readonly characters: number }) => ({ text: 'x'.repeat(characters) });
  stack.use(await serveRpc(bus, [answering(getText, answer)], silentLogger));
  const max = bus.connection.info?.max_payload ?? 0;
  expect((await callRpc(bus, getText, { characters: max / 2 })).text).toHaveLength(max / 2);
  expect((await refusalOf(callRpc(bus, getText, { characters: max }))).code).toBe('INTERNAL_ERROR');
});

describe('a ledger command', () => {
  const stream: StreamContract = {
    ...streams.ledgerCommandsTest,
    name: 'COMMANDS_TEST',
    subjects: ['command.ledger.>'],
    maxAgeMs: 60_000,
    duplicateWindowMs: 60_000,
  };
  const count = defineCommand({
    owner: 'ledger',
    senders: { count: 'deposits' },
    queueFor: () => 'command.ledger.test.0',
    subjectFor: () => 'command.ledger.test.0.count.v1',
    payload: z.object({ id: z.string() }),
    reply: z.object({ id: z.string(), asked: z.int() }),
  });
  /** Answers from the n-th time on that it is asked. */
  const answerFrom = (nth: number) => {
    let asked = 0;
    bus.connection.subscribe('command.ledger.test.0.count.v1', {
      callback: (_error, message) => {
        asked++;
        const { id } = count.payload.parse(message.json());
        const replyTo = message.headers?.get(replyToHeader);
        if (asked >= nth && replyTo) bus.connection.publish(replyTo, JSON.stringify({ id, asked }));
      },
    });
  };

  beforeEach(async () => ensureStreams(bus, [stream], silentLogger));

  test('repeats the same command when the answer is lost', async () => {
    const ledgerClient = stack.use(new LedgerCommandClient(bus));
    answerFrom(3);
    expect(await ledgerClient.request(count, { id: 'c1' })).toEqual({ id: 'c1', asked: 3 });
    const stored = await bus.manager.streams.info(stream.name);
    expect(stored.state.messages).toBe(3);
  });

  test('is SERVICE_UNAVAILABLE at the deadline, saying nothing about the outcome', async () => {
    const ledgerClient = stack.use(new LedgerCommandClient(bus));
    expect(await refusalOf(ledgerClient.request(count, { id: 'c2' }, { timeoutMs: 80 }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSec: 1,
    });
  });

  test('that waits when its client ends is SERVICE_UNAVAILABLE at once, and is not sent again', async () => {
    const ledgerClient = new LedgerCommandClient(bus);
    const refusal = refusalOf(ledgerClient.request(count, { id: 'c3' }, { timeoutMs: 3_600_000 }));
    await eventually(async () => expect((await bus.manager.streams.info(stream.name)).state.messages).toBe(1));
    await ledgerClient[Symbol.asyncDispose]();
    expect(await refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('gives each of many callers its own answer', async () => {
    const ledgerClient = stack.use(new LedgerCommandClient(bus));
    answerFrom(1);
    const ids = Array.from({ length: 200 }, (_, index) => `c${index}`);
    const answers = await Promise.all(ids.map((id) => ledgerClient.request(count, { id })));
    expect(answers.map((answer) => answer.id)).toEqual(ids);
  });
});
