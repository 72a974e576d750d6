import { describe, expect, test } from 'vitest';
import { AckPolicy } from '@nats-io/jetstream';
import { newId } from '@gateway/money';
import { emit } from '@gateway/persistence';
import { eventually, silentLogger } from '@gateway/test-kit';
import { ensureStreams } from '#src/bus/streams.ts';
import { startOutboxRelay } from '#src/outbox/relay.ts';
import { readBacklog } from '#src/rpc/backlog-route.ts';
import { CoinMinted, stageOfCoins, stream, worths } from './coins.ts';

const stage = stageOfCoins();
const { consume } = stage;

const mint = async (worth: number, id = newId('event')) => {
  await stage.schema.database.transaction(async (tx) => emit(tx, CoinMinted, { id, worth }));
  return id;
};

const outboxRows = async () => (await stage.schema.database.query('select from outbox')).length;

/** Resolves when the relay has leased a row: its message is stored, and no reader has read it. */
const leased = (id: string) =>
  eventually(async () =>
    expect(
      await stage.schema.database.query('select from outbox where id = $1 and watched_until > now()', [id]),
    ).toHaveLength(1),
  );

describe('the outbox', () => {
  test('publishes what was committed, in order, and nothing that was rolled back', async () => {
    stage.stack.use(startOutboxRelay({ database: stage.schema.database, bus: stage.bus, logger: silentLogger }));
    const seen: number[] = [];
    consume({ handle: async (messages) => void seen.push(...worths(messages)) });
    await mint(1);
    await stage.schema.database
      .transaction(async (tx) => {
        await emit(tx, CoinMinted, { id: newId('event'), worth: 99 });
        throw new Error('changed my mind');
      })
      .catch(() => undefined);
    await mint(2);
    await mint(3);
    await eventually(() => expect(seen).toEqual([1, 2, 3]));
    await eventually(async () => expect(await stage.schema.database.query('select 1 from outbox')).toEqual([]));
  });

  test('is counted as what is not on the bus yet, without what a process watches over', async () => {
    const [, watched] = [await mint(1), await mint(2)];
    await stage.schema.database.query(`update outbox set watched_until = now() + interval '1 hour' where id = $1`, [
      watched,
    ]);
    expect(await readBacklog(stage.schema.database, [])).toEqual([{ kind: 'event', environment: null, count: 1 }]);
  });

  test('publishes what a process left behind that died after its commit, and what another one committed', async () => {
    const seen: number[] = [];
    consume({ handle: async (messages) => void seen.push(...worths(messages)) });
    const leave = (worth: number, age: string) =>
      stage.schema.database.query(
        `insert into outbox (id, subject, payload, trace, created_at)
         values ($1, $2, $3, '{}', now() - $4::interval)`,
        [newId('event'), CoinMinted.subject, JSON.stringify({ id: `coin-${worth}`, worth }), age],
      );
    await leave(1, '0 s');
    stage.stack.use(startOutboxRelay({ database: stage.schema.database, bus: stage.bus, logger: silentLogger }));
    await eventually(() => expect(seen).toEqual([1]));
    await leave(2, '6 s');
    await eventually(() => expect(seen).toEqual([1, 2]));
    await eventually(async () => expect(await stage.schema.database.query('select 1 from outbox')).toEqual([]));
  });

  test('keeps a message until a broker without the stream has it again', async () => {
    await stage.bus.manager.streams.delete(stream.name);
    stage.stack.use(startOutboxRelay({ database: stage.schema.database, bus: stage.bus, logger: silentLogger }));
    await mint(7);
    await eventually(async () => expect(await stage.schema.database.query('select 1 from outbox')).toHaveLength(1));
    await ensureStreams(stage.bus, [stream], silentLogger);
    const seen: number[] = [];
    consume({ handle: async (messages) => void seen.push(...worths(messages)) });
    await eventually(() => expect(seen).toEqual([7]));
  });

  test('keeps a message until its readers have read it: a broker that comes back without it is given it again', async () => {
    stage.stack.use(startOutboxRelay({ database: stage.schema.database, bus: stage.bus, logger: silentLogger }));
    const reader = { durable_name: 'webhooks-deposits', ack_policy: AckPolicy.Explicit } as const;
    await stage.bus.manager.consumers.add(stream.name, reader);
    const stored = async () => (await stage.bus.manager.streams.info(stream.name)).state.messages;
    await leased(await mint(7));
    expect(await stored()).toBe(1);
    await stage.bus.manager.streams.delete(stream.name);
    await stage.bus.connection.reconnect();
    await eventually(async () => expect(await stored()).toBe(1));
    await stage.bus.manager.consumers.add(stream.name, reader);
    const message = await (await stage.bus.jetstream.consumers.get(stream.name, reader.durable_name)).next();
    expect(message?.json()).toMatchObject({ worth: 7 });
    message?.ack();
    await eventually(async () => expect(await outboxRows()).toBe(0));
  });

  test('keeps a message that the broker refused to store, and publishes it until it is stored', async () => {
    await stage.bus.manager.streams.update(stream.name, { max_msg_size: 1 });
    let published = 0;
    stage.bus.connection.subscribe(CoinMinted.subject, { callback: () => void published++ });
    stage.stack.use(startOutboxRelay({ database: stage.schema.database, bus: stage.bus, logger: silentLogger }));
    await mint(7);
    await eventually(() => expect(published).toBeGreaterThanOrEqual(2));
    expect(await outboxRows()).toBe(1);
    await stage.bus.manager.streams.update(stream.name, { max_msg_size: -1 });
    await eventually(async () => expect(await outboxRows()).toBe(0));
    expect((await stage.bus.manager.streams.info(stream.name)).state.messages).toBe(1);
  });

  test('keeps a message while the broker has forgotten its reader, until there is one again that has read it', async () => {
    stage.stack.use(startOutboxRelay({ database: stage.schema.database, bus: stage.bus, logger: silentLogger }));
    const reader = { durable_name: 'webhooks-deposits', ack_policy: AckPolicy.Explicit } as const;
    await stage.bus.manager.consumers.add(stream.name, reader);
    await leased(await mint(7));
    await stage.bus.manager.consumers.delete(stream.name, reader.durable_name);
    // The relay has looked at its readers several times before it watches over the second one.
    await leased(await mint(8));
    expect(await outboxRows()).toBe(2);
    await stage.bus.manager.consumers.add(stream.name, reader);
    const messages = await (
      await stage.bus.jetstream.consumers.get(stream.name, reader.durable_name)
    ).fetch({
      max_messages: 2,
    });
    for await (const message of messages) message.ack();
    await eventually(async () => expect(await outboxRows()).toBe(0));
  });

  test('keeps a message that was delivered and not acknowledged', async () => {
    stage.stack.use(startOutboxRelay({ database: stage.schema.database, bus: stage.bus, logger: silentLogger }));
    const reader = { durable_name: 'webhooks-deposits', ack_policy: AckPolicy.Explicit } as const;
    await stage.bus.manager.consumers.add(stream.name, reader);
    await leased(await mint(7));
    const message = await (await stage.bus.jetstream.consumers.get(stream.name, reader.durable_name)).next();
    expect(message?.json()).toMatchObject({ worth: 7 });
    await leased(await mint(8));
    expect(await outboxRows()).toBe(2);
  });

  test('publishes rows that were left behind in the order in which they were written', async () => {
    const seen: number[] = [];
    consume({ handle: async (messages) => void seen.push(...worths(messages)) });
    for (let worth = 1; worth <= 20; worth++) {
      await stage.schema.database.query(`insert into outbox (id, subject, payload, trace) values ($1, $2, $3, '{}')`, [
        newId('event'),
        CoinMinted.subject,
        JSON.stringify({ id: `coin-${worth}`, worth }),
      ]);
    }
    stage.stack.use(startOutboxRelay({ database: stage.schema.database, bus: stage.bus, logger: silentLogger }));
    await eventually(() => expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => index + 1)));
  });

  test('refuses a payload that does not fit its contract, and with it the transaction', async () => {
    const wrong = stage.schema.database.transaction(async (tx) => {
      await tx.sql('insert into effect values ($1, $2)', ['x', 1]);
      await emit(tx, CoinMinted, { id: 'x', worth: 1.5 });
    });
    await expect(wrong).rejects.toThrow();
    expect(await stage.schema.database.query('select 1 from effect')).toEqual([]);
  });
});
