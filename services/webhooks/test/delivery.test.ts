import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { presentDeposit } from '@gateway/public-api';
import { eventually } from '@gateway/test-kit';
import { newDeposit, newMerchant, newPayout, paid, publishDeposit, publishPayout } from './support/events.ts';
import { Receiver } from './support/receiver.ts';
import { createHarness, type Harness } from './support/harness.ts';

/** Pairs of events: enough for two consumers to make the same queue at once. */
const firstEventsAtOnce = 30;

let webhooks: Harness;
let service: AsyncDisposable;
beforeAll(async () => {
  webhooks = await createHarness();
  service = await webhooks.start();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await webhooks[Symbol.asyncDispose]();
});

describe('an event', () => {
  test('reaches the endpoint as spec 6 says, signed over the bytes that were sent', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    const deposit = paid(newDeposit(merchant));
    const event = await publishDeposit(webhooks.bus, deposit);

    const { headers, body } = await eventually(() => {
      expect(receiver.received).toHaveLength(1);
      return receiver.received[0]!;
    });
    expect(JSON.parse(body.toString())).toEqual({
      id: headers['x-gateway-event-id'],
      event: 'deposit.paid',
      created_at: event.occurredAt,
      environment: 'test',
      data: presentDeposit(deposit),
    });
    const timestamp = headers['x-gateway-timestamp'];
    const hex = createHmac('sha256', webhook.secret)
      .update(`${String(timestamp)}.`)
      .update(body)
      .digest('hex');
    expect(headers['x-gateway-signature']).toBe(`sha256=${hex}`);
    const standardKey = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64');
    const standard = createHmac('sha256', standardKey)
      .update(`${event.id}.${String(timestamp)}.`)
      .update(body);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'x-gateway-event-id': event.id,
      'x-gateway-attempt': '1',
      'webhook-id': event.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${standard.digest('base64')}`,
    });
    await eventually(async () => {
      expect(await webhooks.deliveries(webhook)).toMatchObject([
        {
          id: headers['x-gateway-delivery-id'],
          event: 'deposit.paid',
          dataId: deposit.id,
          status: 'DELIVERED',
          attempts: 1,
          responseStatus: 204,
          error: null,
          nextAttemptAt: null,
        },
      ]);
    });
  });

  test('goes only to endpoints of its account and environment that asked for it', async () => {
    await using receiver = await Receiver.start();
    await using elsewhere = await Receiver.start();
    const merchant = newMerchant('test');
    await webhooks.register(merchant, receiver.url, ['deposit.paid', 'payout.paid']);
    await webhooks.register({ ...merchant, environment: 'live' }, elsewhere.url);
    await webhooks.register(newMerchant('test'), elsewhere.url);
    const deposit = newDeposit(merchant);
    await publishDeposit(webhooks.bus, deposit);
    await publishDeposit(webhooks.bus, paid(deposit));
    await publishPayout(webhooks.bus, newPayout(merchant));
    await eventually(() => {
      expect(receiver.of('deposit.paid')).toHaveLength(1);
      expect(receiver.of('payout.paid')).toHaveLength(1);
    });
    expect(receiver.of('deposit.pending')).toEqual([]);
    expect(elsewhere.received).toEqual([]);
  });

  test('that come together from live and test go each to the endpoints of its environment', async () => {
    await using inTest = await Receiver.start();
    await using inLive = await Receiver.start();
    const merchant = newMerchant('test');
    const sameInLive = { ...merchant, environment: 'live' } as const;
    await webhooks.register(merchant, inTest.url);
    await webhooks.register(sameInLive, inLive.url);
    const deposits = Array.from({ length: 40 }, (_, index) => newDeposit(index % 2 === 0 ? merchant : sameInLive));
    await Promise.all(deposits.map((deposit) => publishDeposit(webhooks.bus, deposit)));
    await eventually(() => expect([inTest.received.length, inLive.received.length]).toEqual([20, 20]));
    const idsAt = (receiver: Receiver) =>
      receiver.received.map(({ body }) => (JSON.parse(body.toString()) as { data: { id: string } }).data.id).sort();
    const idsOf = (environment: string) =>
      deposits.flatMap((deposit) => (deposit.environment === environment ? [deposit.id] : [])).sort();
    expect([idsAt(inTest), idsAt(inLive)]).toEqual([idsOf('test'), idsOf('live')]);
  });

  test("that is an endpoint's first reaches it, even where the first of another service comes at the same moment", async () => {
    await using receiver = await Receiver.start();
    for (let pair = 1; pair <= firstEventsAtOnce; pair++) {
      const merchant = newMerchant();
      await webhooks.register(merchant, receiver.url);
      await Promise.all([
        publishDeposit(webhooks.bus, newDeposit(merchant)),
        publishPayout(webhooks.bus, newPayout(merchant)),
      ]);
      await eventually(() => expect(receiver.received).toHaveLength(pair * 2));
    }
  });

  test('that is published again is delivered once, and another one of the same record and name is delivered too', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    const deposit = paid(newDeposit(merchant));
    const event = await publishDeposit(webhooks.bus, deposit);
    await publishDeposit(webhooks.bus, deposit, { id: event.id });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await publishDeposit(webhooks.bus, deposit);
    await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
    await eventually(async () => expect(await webhooks.deliveries(webhook)).toHaveLength(3));
    await eventually(() => expect(receiver.received).toHaveLength(3));
    expect(new Set(receiver.received.map(({ headers }) => headers['x-gateway-event-id'])).size).toBe(3);
  });

  test('that does not fit its contract is set aside, and the ones beside it are delivered', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    await webhooks.register(merchant, receiver.url);
    await webhooks.bus.publish('event.deposits.deposit.paid.v1', '{"deposit":{}}', {
      messageId: 'poison',
      trace: {},
      timeoutMs: 5_000,
    });
    await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await eventually(async () => {
      const letters = await webhooks.database.query('select consumer, subject from dead_letter');
      expect(letters).toEqual([{ consumer: 'webhooks-deposits', subject: 'event.deposits.deposit.paid.v1' }]);
    });
  });
});

describe('a receiver that fails', () => {
  test('gets two retries at once with the same ids and fresh signatures, then waits for the next', async () => {
    await using receiver = await Receiver.start((response) => response.writeHead(500).end('try later'));
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
    await eventually(async () => {
      expect(await webhooks.deliveries(webhook)).toMatchObject([
        { status: 'PENDING', attempts: 3, responseStatus: 500, error: 'http_5xx' },
      ]);
    });
    const seen = receiver.received.map(({ headers }) => headers);
    expect(seen.map((headers) => headers['x-gateway-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(seen.map((headers) => headers['x-gateway-delivery-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
    const log = await webhooks.database.query(
      `select number, trigger, error, response_status, response_body, peer_address, url,
              next_attempt_at > now() + interval '20 seconds' as much_later
         from attempt where endpoint_id = $1 order by number`,
      [webhook.id],
    );
    const common = {
      error: 'http_5xx',
      response_status: 500,
      response_body: 'try later',
      peer_address: '127.0.0.1',
      url: receiver.url,
    };
    expect(log).toEqual([
      { number: 1, trigger: 'first', ...common, much_later: false },
      { number: 2, trigger: 'immediate', ...common, much_later: false },
      { number: 3, trigger: 'immediate', ...common, much_later: true },
    ]);
  });

  test('and then answers is delivered to, and its next event comes without a wait', async () => {
    await using receiver = await Receiver.start((response, _received, number) =>
      response.writeHead(number < 3 ? 503 : 200).end(),
    );
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
    await eventually(async () => {
      expect(await webhooks.deliveries(webhook)).toMatchObject([{ status: 'DELIVERED', attempts: 3, error: null }]);
    });
    await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
    await eventually(() => expect(receiver.received).toHaveLength(4));
  });

  test('for one kind of event gets the others meanwhile', async () => {
    await using receiver = await Receiver.start((response, { body }) =>
      response.writeHead(body.includes('deposit.pending') ? 400 : 200).end(),
    );
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    const deposit = newDeposit(merchant);
    await publishDeposit(webhooks.bus, deposit);
    await eventually(() => expect(receiver.of('deposit.pending')).toHaveLength(3));
    await publishDeposit(webhooks.bus, paid(deposit));
    await eventually(async () => {
      expect(await webhooks.deliveries(webhook, { event: 'deposit.paid' })).toMatchObject([{ status: 'DELIVERED' }]);
    });
  });

  test('with several events at once gets two retries at once of each, also once its breaker is open', async () => {
    await using receiver = await Receiver.start((response) => response.writeHead(500).end());
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    await Promise.all([1, 2, 3, 4].map(() => publishDeposit(webhooks.bus, newDeposit(merchant))));
    await eventually(async () => {
      const deliveries = await webhooks.deliveries(webhook);
      expect(deliveries.map(({ attempts }) => attempts)).toEqual([3, 3, 3, 3]);
    });
    const log = await webhooks.database.query<{ triggers: string[] }>(
      `select array_agg(trigger order by number) as triggers from attempt where endpoint_id = $1 group by delivery_id`,
      [webhook.id],
    );
    expect(log.map(({ triggers }) => triggers)).toEqual(Array(4).fill(['first', 'immediate', 'immediate']));
    const state = 'select breaker from endpoint_queue where endpoint_id = $1 and held_until > now()';
    expect(await webhooks.database.query(state, [webhook.id])).toEqual([{ breaker: 'open' }]);
  });

  test('with every event is left alone after three of them, until its opening is over', async () => {
    await using receiver = await Receiver.start((response) => response.writeHead(500).end());
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    for (let i = 0; i < 10; i++) await publishDeposit(webhooks.bus, newDeposit(merchant));
    const queueState = async () =>
      (
        await webhooks.database.query<{ breaker: string; inflight: number }>(
          'select breaker, inflight from endpoint_queue where endpoint_id = $1',
          [webhook.id],
        )
      )[0];
    await eventually(async () => {
      expect(await queueState()).toEqual({ breaker: 'open', inflight: 0 });
      const attempts = (await webhooks.deliveries(webhook)).map((each) => each.attempts);
      expect(attempts.filter((count) => count !== 0 && count !== 3)).toEqual([]);
    });
    const calls = receiver.received.length;

    receiver.answer = (response) => response.writeHead(204).end();
    await webhooks.database.query(
      'update endpoint_queue set held_until = now(), ready_at = now() where endpoint_id = $1',
      [webhook.id],
    );
    await eventually(async () => {
      const deliveries = await webhooks.deliveries(webhook);
      expect(deliveries).toHaveLength(10);
      expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['DELIVERED']));
    });
    expect(receiver.received).toHaveLength(calls + 10);
  });
});

describe('an endpoint that is deleted', () => {
  test('gets nothing more, neither what waited nor what comes', async () => {
    await using receiver = await Receiver.start((response) => response.writeHead(500).end());
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    await publishDeposit(webhooks.bus, newDeposit(merchant));
    await eventually(async () => expect(await webhooks.deliveries(webhook)).toMatchObject([{ attempts: 3 }]));
    await webhooks.remove(webhook);
    await publishDeposit(webhooks.bus, newDeposit(merchant));
    await eventually(async () => {
      const rows = await webhooks.database.query('select state, error from delivery where endpoint_id = $1', [
        webhook.id,
      ]);
      expect(rows).toEqual([{ state: 3, error: 'endpoint_deleted' }]);
    });
    expect(receiver.received).toHaveLength(3);
  });
});
