import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AckPolicy } from '@nats-io/jetstream';
import { streams, type StreamContract } from '@gateway/contracts/broker';
import { metricsText } from '@gateway/runtime';
import { createTestBus, silentLogger } from '@gateway/test-kit';
import type { Bus } from '#src/bus/bus.ts';
import { makeRoom } from '#src/bus/stream-room.ts';
import { ensureStreams, keepStreams } from '#src/bus/streams.ts';

const small: StreamContract = { ...streams.providerNotifications, maxBytes: 200_000 };
const commands: StreamContract = { ...streams.ledgerCommandsLive, maxBytes: 200_000 };
const subject = 'provider.efi.notification.v1';
const payload = 'x'.repeat(10_000);

let bus: Bus;
beforeAll(async () => {
  bus = await createTestBus();
});
afterAll(async () => bus[Symbol.asyncDispose]());
beforeEach(async () => {
  await bus.manager.streams.delete(small.name).catch(() => undefined);
  await bus.manager.streams.delete(commands.name).catch(() => undefined);
  await ensureStreams(bus, [small, commands], silentLogger);
});

let next = 0;
const publish = (to: string) =>
  bus.publish(to, payload, { messageId: `message ${next++}`, trace: {}, timeoutMs: 5_000 });

/** Until the stream takes no more. */
async function fill(): Promise<number> {
  for (let stored = 0; ; stored++) {
    try {
      await publish(subject);
    } catch (error) {
      expect(String(error)).toContain('maximum bytes exceeded');
      return stored;
    }
  }
}

async function readAll(durable: string): Promise<void> {
  await bus.manager.consumers.add(small.name, { durable_name: durable, ack_policy: AckPolicy.Explicit });
  const consumer = await bus.jetstream.consumers.get(small.name, durable);
  const { messages } = (await bus.manager.streams.info(small.name)).state;
  for await (const message of await consumer.fetch({ max_messages: messages, expires: 5_000 })) message.ack();
  await bus.ping();
}

test('notifications that fill their stream are refused, and leave the commands their room', async () => {
  const stored = await fill();
  expect(stored).toBeGreaterThan(10);
  expect((await bus.manager.streams.info(small.name)).state.messages).toBe(stored);
  for (let sent = 0; sent < 3 * stored; sent++) await publish('command.ledger.live.0.credit-deposit.v1');
  expect((await bus.manager.streams.info(commands.name)).state.last_seq).toBe(3 * stored);
});

test('a full stream gives up what all of its readers have read, and nothing that one has not', async () => {
  const stored = await fill();
  await readAll('deposits-provider-notifications');
  expect(await makeRoom(bus, small)).toBe(false);
  await readAll('payouts-notifications');
  await expect.poll(() => makeRoom(bus, small)).toBe(true);
  await publish(subject);
  const { state } = await bus.manager.streams.info(small.name);
  expect(state).toMatchObject({ messages: 1, last_seq: stored + 1 });
});

test('a stream with room keeps what has been read', async () => {
  await publish(subject);
  await readAll('deposits-provider-notifications');
  await readAll('payouts-notifications');
  expect(await makeRoom(bus, small)).toBe(false);
  expect((await bus.manager.streams.info(small.name)).state.messages).toBe(1);
});

test('a stream the broker has no more is made again, and how far each is filled is told', async () => {
  await bus.manager.streams.delete(commands.name);
  const stored = await fill();
  await using keeping = keepStreams(bus, [small, commands], silentLogger);
  void keeping;
  await expect.poll(() => bus.manager.streams.info(commands.name).catch(() => undefined)).toBeDefined();
  const { bytes } = (await bus.manager.streams.info(small.name)).state;
  expect([stored > 10, bytes / small.maxBytes > 0.9]).toEqual([true, true]);
  await expect
    .poll(async () => (await metricsText()).text.split('\n').filter((line) => line.startsWith('gateway_stream_filled')))
    .toEqual([
      `gateway_stream_filled_ratio{stream="${small.name}",when_full="refuse"} ${bytes / small.maxBytes}`,
      `gateway_stream_filled_ratio{stream="${commands.name}",when_full="drop"} 0`,
    ]);
});
