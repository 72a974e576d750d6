import { describe, expect, test } from 'vitest';
import { deadLetterRpcs } from '@gateway/contracts/broker';
import { attentionRpc, messageLagRpc } from '@gateway/contracts/messages';
import { eventually, silentLogger } from '@gateway/test-kit';
import { ensureStreams } from '#src/bus/streams.ts';
import type { Message } from '#src/consumer/arrival.ts';
import { deadLetterRoutes } from '#src/consumer/dead-letter-routes.ts';
import { storeDeadLetter } from '#src/consumer/dead-letter.ts';
import { attentionRoute } from '#src/rpc/attention-route.ts';
import { callRpc } from '#src/rpc/call-rpc.ts';
import { messageLagRoute } from '#src/rpc/message-lag-route.ts';
import { serveRpc } from '#src/rpc/serve-rpc.ts';
import { CoinMinted, stageOfCoins, stream, worths } from './coins.ts';

const stage = stageOfCoins();
const { consume } = stage;

describe('a consumer', () => {
  const applyOnce = async (messages: readonly Message[]) =>
    stage.schema.database.transaction(async (tx) => {
      for (const message of messages) {
        const { id, worth } = CoinMinted.payload.parse(message.data);
        await tx.sql('insert into effect values ($1, $2) on conflict do nothing', [id, worth]);
      }
    });

  test('has one effect per message, also when it dies between the commit and the ack', async () => {
    let deliveries = 0;
    consume({
      handle: async (messages) => {
        await applyOnce(messages);
        deliveries++;
        if (deliveries === 1) throw new Error('died after the commit');
      },
    });
    await stage.bus.jetstream.publish(CoinMinted.subject, '{"id":"e1","worth":5}', { msgID: 'e1' });
    await eventually(() => expect(deliveries).toBe(2));
    expect(await stage.schema.database.query('select id from effect')).toEqual([{ id: 'e1' }]);
  });

  test('sets a message aside that does not decode, with the reason, and goes on', async () => {
    consume({ handle: applyOnce });
    await stage.bus.jetstream.publish(CoinMinted.subject, '{"id":"bad","worth":"much"}', { msgID: 'bad' });
    await stage.bus.jetstream.publish(CoinMinted.subject, 'not json at all', { msgID: 'worse' });
    await stage.bus.jetstream.publish(CoinMinted.subject, '{"id":"good","worth":1}', { msgID: 'good' });
    await eventually(async () => {
      expect(await stage.schema.database.query('select id from effect')).toEqual([{ id: 'good' }]);
      const letters = await stage.schema.database.query(
        `select convert_from(payload, 'UTF8') as payload, consumer from dead_letter order by stream_sequence`,
      );
      expect(letters).toEqual([
        { payload: '{"id":"bad","worth":"much"}', consumer: 'test-coins' },
        { payload: 'not json at all', consumer: 'test-coins' },
      ]);
    });
  });

  test('takes a dead letter again when an operator says so, and applies it once', async () => {
    let broken = true;
    consume({
      handle: async (messages) => {
        if (broken) throw new SyntaxError('a bug that is mended later');
        await applyOnce(messages);
      },
    });
    const attention = attentionRoute(stage.schema.database, 'deposits', []);
    const routes = [...deadLetterRoutes(stage.schema.database, 'deposits'), attention];
    stage.stack.use(await serveRpc(stage.bus, routes, silentLogger));
    const waiting = async () => (await callRpc(stage.bus, attentionRpc('deposits'), {})).waiting;
    await stage.bus.jetstream.publish(CoinMinted.subject, '{"id":"late","worth":5}', { msgID: 'late' });
    const rpcs = deadLetterRpcs('deposits');
    const letter = await eventually(async () => {
      const { deadLetters } = await callRpc(stage.bus, rpcs.list, { limit: 5, status: 'WAITING' });
      expect(deadLetters).toHaveLength(1);
      return deadLetters[0]!;
    });
    expect(await waiting()).toMatchObject([{ kind: 'dead_letter', environment: null, count: 1 }]);
    const decision = { id: letter.id, operator: 'ana' };
    expect((await callRpc(stage.bus, rpcs.retry, decision)).deadLetter).toMatchObject({
      status: 'WAITING',
      deliveries: 2,
    });
    broken = false;
    expect((await callRpc(stage.bus, rpcs.retry, decision)).deadLetter.status).toBe('RETRIED');
    expect(await waiting()).toEqual([]);
    await stage.schema.database.query('update dead_letter set retried_at = null');
    expect((await callRpc(stage.bus, rpcs.retry, decision)).deadLetter.status).toBe('RETRIED');
    expect(await stage.schema.database.query('select id from effect')).toEqual([{ id: 'late' }]);
  });

  test('keeps another message from the place of one that is kept already: a stream may be made anew', async () => {
    const letter = {
      consumer: 'c',
      stream: 's',
      streamSequence: 1,
      subject: 'x',
      headers: {},
      reason: '',
      deliveries: 1,
    };
    for (const payload of ['a', 'b', 'a'])
      await storeDeadLetter(stage.schema.database, { ...letter, payload: Buffer.from(payload) });
    expect(
      await stage.schema.database.query(`select convert_from(payload, 'UTF8') as payload from dead_letter order by 1`),
    ).toEqual([{ payload: 'a' }, { payload: 'b' }]);
  });

  test('gives a message again after a failure that may pass, one bad message not holding up its batch', async () => {
    const failures = new Map([['flaky', 2]]);
    consume({
      batchMax: 10,
      handle: async (messages) => {
        for (const message of messages) {
          const left = failures.get(message.id) ?? 0;
          if (left === 0) continue;
          failures.set(message.id, left - 1);
          throw new Error('bad luck');
        }
        await applyOnce(messages);
      },
    });
    for (const id of ['a', 'flaky', 'b']) {
      await stage.bus.jetstream.publish(CoinMinted.subject, JSON.stringify({ id, worth: 1 }), { msgID: id });
    }
    await eventually(async () => {
      const rows = await stage.schema.database.query<{ id: string }>('select id from effect order by id');
      expect(rows.map((row) => row.id)).toEqual(['a', 'b', 'flaky']);
    });
  });

  test('gives a dead letter again that the database could not keep, and keeps it then', async () => {
    let deliveries = 0;
    await stage.schema.database.query('alter table dead_letter rename to dead_letter_away');
    try {
      consume({
        handle: async () => {
          deliveries++;
          throw new SyntaxError('no coin');
        },
      });
      await stage.bus.jetstream.publish(CoinMinted.subject, '{"id":"bad"}', { msgID: 'bad' });
      await eventually(() => expect(deliveries).toBe(2));
    } finally {
      await stage.schema.database.query('alter table dead_letter_away rename to dead_letter');
    }
    await eventually(async () =>
      expect(
        await stage.schema.database.query(`select convert_from(payload, 'UTF8') as payload from dead_letter`),
      ).toEqual([{ payload: '{"id":"bad"}' }]),
    );
  });

  test('says how many messages it has not handled, beside what its service has not published', async () => {
    const release = new AbortController();
    const isReleased = new Promise<void>((resolve) => release.signal.addEventListener('abort', () => resolve()));
    for (const id of ['1', '2', '3']) {
      await stage.bus.jetstream.publish(CoinMinted.subject, `{"id":"${id}","worth":1}`, { msgID: id });
    }
    const consumer = consume({ handle: async () => await isReleased });
    const route = messageLagRoute(stage.schema.database, 'deposits', () => [consumer.lag]);
    stage.stack.use(await serveRpc(stage.bus, [route], silentLogger));
    await stage.schema.database.query(
      `insert into outbox (id, subject, payload, trace) values ('msg_1', $1, '{}', '{}')`,
      [CoinMinted.subject],
    );
    try {
      await eventually(async () =>
        expect(await callRpc(stage.bus, messageLagRpc('deposits'), {})).toEqual({
          unpublished: 1,
          consumers: [{ stream: stream.name, consumer: 'test-coins', waiting: 3 }],
        }),
      );
    } finally {
      release.abort();
    }
  });

  test('goes on after the broker forgot the stream and its consumers', async () => {
    const seen: number[] = [];
    consume({ handle: async (messages) => void seen.push(...worths(messages)) });
    await stage.bus.jetstream.publish(CoinMinted.subject, '{"id":"1","worth":1}', { msgID: '1' });
    await eventually(() => expect(seen).toEqual([1]));
    await stage.bus.manager.streams.delete(stream.name);
    await ensureStreams(stage.bus, [stream], silentLogger);
    await stage.bus.jetstream.publish(CoinMinted.subject, '{"id":"2","worth":2}', { msgID: '2' });
    await eventually(() => expect(seen).toEqual([1, 2]), { timeoutMs: 60_000 });
  });

  test('handles messages in batches and in parallel without losing any', async () => {
    const total = 2_000;
    for (let worth = 0; worth < total; worth++) {
      stage.bus.connection.publish(CoinMinted.subject, JSON.stringify({ id: `m${worth}`, worth }));
    }
    await stage.bus.connection.flush();
    const sizes: number[] = [];
    consume({
      batchMax: 100,
      concurrency: 4,
      handle: async (messages) => {
        sizes.push(messages.length);
        await applyOnce(messages);
      },
    });
    await eventually(async () => {
      const [row] = await stage.schema.database.query<{ n: number }>('select count(distinct id) as n from effect');
      expect(row?.n).toBe(total);
    });
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
    expect(sizes.length).toBeLessThan(total / 2);
  });
});
