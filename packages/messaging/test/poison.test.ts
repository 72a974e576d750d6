import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { deadLetterRpcs } from '@gateway/contracts/broker';
import { defineEvent } from '@gateway/contracts/messages';
import { kitMigrations } from '@gateway/persistence';
import {
  createTestBus,
  createTestDatabase,
  eventually,
  poisonMessages,
  silentLogger,
  type TestDatabase,
} from '@gateway/test-kit';
import type { Bus } from '#src/bus/bus.ts';
import { ensureStreams } from '#src/bus/streams.ts';
import { startConsumer } from '#src/consumer/consumer.ts';
import { deadLetterRoutes } from '#src/consumer/dead-letter-routes.ts';
import { storeDeadLetter } from '#src/consumer/dead-letter.ts';
import { retriedBy } from '#src/consumer/retry-dead-letter.ts';
import { callRpc } from '#src/rpc/call-rpc.ts';
import { serveRpc } from '#src/rpc/serve-rpc.ts';

const CoinMinted = defineEvent({
  subject: 'event.deposits.coin.minted.v1',
  owner: 'deposits',
  payload: z.object({ id: z.string().max(40), worth: z.int() }),
});
const stream = {
  name: 'POISON',
  subjects: ['event.deposits.coin.>'],
  maxAgeMs: 3_600_000,
  duplicateWindowMs: 60_000,
  maxBytes: 256 * 1024 * 1024,
  owner: 'deposits',
  whenFull: 'drop',
} as const;
const durable = 'test-poison';

let stack: AsyncDisposableStack;
let schema: TestDatabase;
let bus: Bus;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  schema = stack.use(await createTestDatabase('poison', { migrations: kitMigrations }));
  bus = stack.use(await createTestBus());
  await ensureStreams(bus, [stream], silentLogger);
});
afterEach(async () => await stack.disposeAsync());

const letters = () =>
  schema.database.query<{ id: string; payload: Buffer }>(
    'select id, payload from dead_letter where consumer = $1 order by stream_sequence',
    [durable],
  );

test('no message stops a consumer: each is kept byte for byte and shown, and the one behind it is handled', async () => {
  const handled = new Set<number>();
  const handle = async (messages: readonly { readonly data: unknown }[]) => {
    for (const { data } of messages) handled.add(CoinMinted.payload.parse(data).worth);
  };
  stack.use(
    startConsumer({ bus, database: schema.database, logger: silentLogger, stream, durable, batchMax: 10, handle }),
  );
  stack.use(await serveRpc(bus, deadLetterRoutes(schema.database, 'deposits'), silentLogger));
  const corpus = poisonMessages();
  for (const [worth, { body, headers }] of corpus.entries()) {
    await bus.jetstream.publish(CoinMinted.subject, body, headers ? { headers } : {});
    await bus.jetstream.publish(CoinMinted.subject, JSON.stringify({ id: `good-${worth}`, worth }));
  }
  await eventually(() => expect([...handled].sort((a, b) => a - b)).toEqual(corpus.map((_, worth) => worth)));
  const kept = await eventually(async () => {
    const found = await letters();
    expect(found.map(({ payload }) => payload.length)).toEqual(corpus.map(({ body }) => body.length));
    return found;
  });
  const bodies = corpus.map(({ body }) => Buffer.from(body).toString('base64'));
  for (const { payload } of kept) expect(bodies).toContain(payload.toString('base64'));
  for (const { id } of kept) {
    const { deadLetter } = await callRpc(bus, deadLetterRpcs('deposits').open, { id });
    expect(deadLetter.payload).not.toContain('\0');
  }
});

const letter = {
  consumer: durable,
  stream: 'S',
  streamSequence: 1,
  subject: 'x',
  headers: {},
  reason: 'bad',
  deliveries: 1,
};

test('a dead letter is handed to its consumer again with the bytes and headers it came with', async () => {
  const again: unknown[] = [];
  stack.use(retriedBy(schema.database, durable, async ({ payload, headers }) => void again.push([payload, headers])));
  stack.use(await serveRpc(bus, deadLetterRoutes(schema.database, 'deposits'), silentLogger));
  const payload = Buffer.from([0xff, 0x00, 0xed, 0xa0, 0x80, 0x22]);
  const headers = { 'X-Poison': 'a\0b\ud800', __proto__: 'c' };
  await storeDeadLetter(schema.database, { ...letter, payload, headers, subject: 'x.\0', reason: 'it said "\0"' });
  const [kept] = await letters();
  const rpcs = deadLetterRpcs('deposits');
  expect((await callRpc(bus, rpcs.open, { id: kept!.id })).deadLetter).toMatchObject({
    subject: 'x.\\u0000',
    reason: 'it said "\\u0000"',
    payload: '\\xff\\x00\\xed\\xa0\\x80"',
  });
  await callRpc(bus, rpcs.retry, { id: kept!.id, operator: 'ana' });
  expect(again).toEqual([[payload, headers]]);
});

test('what PostgreSQL does not keep whole for its content is kept in part, and can be discarded but not retried', async () => {
  await schema.database.query(`
    create function refuse_much() returns trigger language plpgsql as $$ begin
      if octet_length(new.payload) > 256 then raise exception using errcode = '22021'; end if;
      return new;
    end $$;
    create trigger refuse_much before insert on dead_letter for each row execute function refuse_much()`);
  stack.use(retriedBy(schema.database, durable, () => Promise.resolve()));
  stack.use(await serveRpc(bus, deadLetterRoutes(schema.database, 'deposits'), silentLogger));
  await storeDeadLetter(schema.database, { ...letter, payload: Buffer.alloc(1_000, 'a\0') });
  const [kept] = await schema.database.query<{ id: string; payload: Buffer; bytes: number }>(
    'select id, payload, whole_bytes as bytes from dead_letter',
  );
  expect(kept).toMatchObject({ payload: Buffer.alloc(256, 'a\0'), bytes: 1_000 });
  const rpcs = deadLetterRpcs('deposits');
  const decision = { id: kept!.id, operator: 'ana' };
  await expect(callRpc(bus, rpcs.retry, decision)).rejects.toThrow(/only the beginning of its 1000 bytes/);
  expect((await callRpc(bus, rpcs.discard, decision)).deadLetter.status).toBe('DISCARDED');
});
