import { expect, test } from 'vitest';
import { z } from 'zod';
import { streams } from '@gateway/contracts/broker';
import { defineEvent } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import { emit, kitMigrations } from '@gateway/persistence';
import { createTestBus, createTestDatabase, eventually, silentLogger } from '@gateway/test-kit';
import { ensureStreams } from '#src/bus/streams.ts';
import { startConsumer } from '#src/consumer/consumer.ts';
import { startOutboxRelay } from '#src/outbox/relay.ts';

const stream = streams.depositsEvents;
const CoinMinted = defineEvent({
  subject: 'event.deposits.coin.minted.v1',
  owner: 'deposits',
  payload: z.object({ id: z.string(), worth: z.int() }),
});

test('of events that share a message each is had once: a bad one is set aside alone, one with bad luck comes again', async () => {
  await using stack = new AsyncDisposableStack();
  const effect = { name: '0001-effect', sql: 'create table effect (id text primary key, worth bigint)' };
  const { database } = stack.use(await createTestDatabase('kit', { migrations: [...kitMigrations, effect] }));
  const bus = stack.use(await createTestBus());
  await ensureStreams(bus, [stream], silentLogger);
  stack.use(startOutboxRelay({ database, bus, logger: silentLogger }));
  let luckless = 2;
  const [durable, logger] = ['test-coins', silentLogger];
  const handle = (messages: readonly { readonly id: string; readonly data: unknown }[]) =>
    database.transaction(async (tx) => {
      for (const { id, data } of messages) {
        const { worth } = CoinMinted.payload.parse(data);
        if (worth === 3) throw new SyntaxError('a bug that is mended later');
        if (worth === 2 && luckless-- > 0) throw new Error('bad luck');
        await tx.sql('insert into effect values ($1, $2) on conflict do nothing', [id, worth]);
      }
    });
  stack.use(startConsumer({ bus, database, logger, stream, durable, batchMax: 10, handle }));
  const ids = [1, 2, 3, 4].map(() => newId('event'));
  await database.transaction(async (tx) => {
    for (const [index, id] of ids.entries()) await emit(tx, CoinMinted, { id, worth: index + 1 });
  });
  await eventually(async () => {
    const rows = await database.query<{ worth: number }>('select worth from effect order by worth');
    expect(rows.map(({ worth }) => worth)).toEqual([1, 2, 4]);
  });
  expect((await bus.manager.streams.info(stream.name)).state.messages).toBe(1);
  expect(
    await database.query(
      `select convert_from(payload, 'UTF8') as payload, convert_from(headers, 'UTF8')::json as headers from dead_letter`,
    ),
  ).toEqual([{ payload: JSON.stringify({ id: ids[2], worth: 3 }), headers: { 'Nats-Msg-Id': ids[2] } }]);
});
