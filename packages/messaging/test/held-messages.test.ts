import { expect, test } from 'vitest';
import { emit } from '@gateway/persistence';
import { eventually, silentLogger } from '@gateway/test-kit';
import { startOutboxRelay } from '#src/outbox/relay.ts';
import { CoinMinted, stageOfCoins, stream, worths } from './coins.ts';

const stage = stageOfCoins();
const { consume } = stage;

async function publish(...coins: readonly number[]): Promise<void> {
  for (const worth of coins) {
    stage.bus.connection.publish(CoinMinted.subject, JSON.stringify({ id: `coin-${worth}`, worth }));
  }
  await stage.bus.connection.flush();
}

const infoOf = (durable: string) => stage.bus.manager.consumers.info(stream.name, durable);

test('what takes longer to handle than the broker waits is handled once, and so is what waits behind it', async () => {
  const handled: number[] = [];
  consume({
    ackWaitMs: 400,
    handle: async (messages) => {
      const beganAt = performance.now();
      await eventually(() => expect(performance.now() - beganAt).toBeGreaterThan(1_200));
      handled.push(...worths(messages));
    },
  });
  await publish(1, 2);
  await eventually(async () => expect((await infoOf('test-coins')).ack_floor.stream_seq).toBe(2));
  expect(handled).toEqual([1, 2]);
  expect((await infoOf('test-coins')).delivered.consumer_seq).toBe(2);
});

test('no more is taken than is handled soon: the rest stays for others', async () => {
  const release = Promise.withResolvers<void>();
  consume({ concurrency: 20, handle: () => release.promise });
  stage.stack.defer(() => release.resolve());
  await publish(...Array.from({ length: 200 }, (_, index) => index));
  await eventually(async () => expect((await infoOf('test-coins')).num_ack_pending).toBeGreaterThanOrEqual(20));
  expect((await infoOf('test-coins')).num_ack_pending).toBeLessThanOrEqual(45);
  release.resolve();
  await eventually(async () => expect((await infoOf('test-coins')).ack_floor.stream_seq).toBe(200));
});

test('events that share a message are handled at the same time, and not more of them than batches may be', async () => {
  const { database } = stage.schema;
  stage.stack.use(startOutboxRelay({ database, bus: stage.bus, logger: silentLogger }));
  let [underWay, most] = [0, 0];
  const handled: number[] = [];
  const allAtOnce = Promise.withResolvers<void>();
  consume({
    concurrency: 3,
    handle: async (messages) => {
      most = Math.max(most, ++underWay);
      if (underWay === 3) allAtOnce.resolve();
      await allAtOnce.promise;
      underWay -= 1;
      handled.push(...worths(messages));
    },
  });
  stage.stack.defer(() => allAtOnce.resolve());
  await database.transaction(async (tx) => {
    for (const worth of [1, 2, 3, 4, 5, 6]) await emit(tx, CoinMinted, { id: `coin-${worth}`, worth });
  });
  await eventually(() => expect(handled.toSorted()).toEqual([1, 2, 3, 4, 5, 6]));
  expect(most).toBe(3);
  expect((await stage.bus.manager.streams.info(stream.name)).state.messages).toBe(1);
});
