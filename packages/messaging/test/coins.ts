import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import { streams, type StreamContract } from '@gateway/contracts/broker';
import { defineEvent } from '@gateway/contracts/messages';
import { kitMigrations } from '@gateway/persistence';
import { createTestBus, createTestDatabase, silentLogger, type TestDatabase } from '@gateway/test-kit';
import type { Bus } from '#src/bus/bus.ts';
import { ensureStreams } from '#src/bus/streams.ts';
import type { Message } from '#src/consumer/arrival.ts';
import type { WatchedLag } from '#src/consumer/consumer-lag.ts';
import { startConsumer, type ConsumerOptions } from '#src/consumer/consumer.ts';

export const stream: StreamContract = {
  ...streams.depositsEvents,
  maxAgeMs: 60_000,
  duplicateWindowMs: 60_000,
};
export const CoinMinted = defineEvent({
  subject: 'event.deposits.coin.minted.v1',
  owner: 'deposits',
  payload: z.object({ id: z.string(), worth: z.int() }),
});

/** The messages of a service, and a table for what its handlers do. */
const coinMigrations = [
  ...kitMigrations,
  { name: '0001-effect', sql: 'create table effect (id text primary key, worth bigint)' },
];

export const worths = (messages: readonly Message[]) =>
  messages.map((message) => CoinMinted.payload.parse(message.data).worth);

/**
 * A database for the tests of a file, empty before each, and for each test a bus of its own with the stream. What a test adds to
 * `stack` ends with it.
 */
export function stageOfCoins() {
  let schema: TestDatabase;
  let bus: Bus;
  let stack: AsyncDisposableStack;
  beforeAll(async () => {
    schema = await createTestDatabase('kit', { migrations: coinMigrations });
  });
  afterAll(async () => schema[Symbol.asyncDispose]());
  beforeEach(async () => {
    bus = await createTestBus();
    stack = new AsyncDisposableStack();
    stack.use(bus);
    await ensureStreams(bus, [stream], silentLogger);
    await schema.database.query('truncate outbox, dead_letter, effect');
  });
  afterEach(async () => stack.disposeAsync());
  return {
    get schema() {
      return schema;
    },
    get bus() {
      return bus;
    },
    get stack() {
      return stack;
    },
    consume: (options: Partial<ConsumerOptions> & Pick<ConsumerOptions, 'handle'>): WatchedLag => {
      const { database } = schema;
      return stack.use(
        startConsumer({ bus, database, logger: silentLogger, stream, durable: 'test-coins', ...options }),
      );
    },
  };
}
