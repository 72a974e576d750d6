import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RequestOf } from '@gateway/contracts/messages';
import { getDelivery, rotateWebhookSecret, updateWebhook, type Webhook } from '@gateway/contracts/webhooks';
import { callRpc } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { newDeposit, newMerchant, paid, publishDeposit, type Merchant } from './support/events.ts';
import { Receiver } from './support/receiver.ts';
import { createHarness, type Harness } from './support/harness.ts';

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

const change = ({ environment, accountId, id }: Webhook, changes: Partial<RequestOf<typeof updateWebhook>>) =>
  callRpc(webhooks.bus, updateWebhook, { environment, accountId, id, ...changes });

/** A delivery whose receiver has the request and has not answered yet. */
async function underWay() {
  const answers: ServerResponse[] = [];
  const receiver = await Receiver.start((response) => void answers.push(response));
  const merchant = newMerchant();
  const webhook = await webhooks.register(merchant, receiver.url);
  await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
  await eventually(() => expect(answers).toHaveLength(1));
  const answer = (status: number) => {
    receiver.answer = (response) => response.writeHead(204).end();
    answers[0]?.writeHead(status).end();
  };
  return { receiver, webhook, answer, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() };
}

async function stateOf({ id }: Webhook) {
  const [row] = await webhooks.database.query(
    `select d.state, d.attempts, d.response_status, q.inflight
       from delivery d left join endpoint_queue q on q.endpoint_id = d.endpoint_id where d.endpoint_id = $1`,
    [id],
  );
  return row;
}

test('a delivery whose holder on this host is gone is made again when the next one starts, not when its lease ends', async () => {
  await using stopping = new AsyncDisposableStack();
  await using call = await underWay();
  const { receiver, webhook } = call;
  const gone = spawnSync(process.execPath, ['--version']).pid;
  const holder = `${hostname()}:${gone}/0`;
  await webhooks.database.query('update delivery set lease_owner = $1 where endpoint_id = $2', [holder, webhook.id]);
  receiver.answer = (response) => response.writeHead(204).end();
  stopping.use(await webhooks.start());
  await eventually(async () => expect(await stateOf(webhook)).toMatchObject({ state: 2, attempts: 1, inflight: 0 }));
  expect(receiver.received).toHaveLength(2);
});

describe('F21 an endpoint that, while it is being called,', () => {
  test('is deleted: the call is recorded and is the last one', async () => {
    await using call = await underWay();
    const { receiver, webhook, answer } = call;
    await webhooks.remove(webhook);
    answer(500);
    await eventually(async () => {
      expect(await stateOf(webhook)).toEqual({ state: 3, attempts: 1, response_status: 500, inflight: null });
    });
    expect(receiver.received).toHaveLength(1);
  });

  test.each(['paused', 'disabled'] as const)('is %s: what failed waits until it is enabled', async (status) => {
    await using call = await underWay();
    const { webhook, answer } = call;
    await change(webhook, { status });
    answer(500);
    await eventually(async () => expect(await stateOf(webhook)).toMatchObject({ state: 0, attempts: 1, inflight: 0 }));
    expect(await webhooks.deliveries(webhook)).toMatchObject([{ status: 'PENDING', nextAttemptAt: null }]);
    await change(webhook, { status: 'enabled' });
    await eventually(async () => expect(await stateOf(webhook)).toMatchObject({ state: 2, attempts: 2, inflight: 0 }));
  });

  test('gets another secret: the next attempt is signed with it', async () => {
    await using call = await underWay();
    const { receiver, webhook, answer } = call;
    const { environment, accountId, id } = webhook;
    const { secret } = await callRpc(webhooks.bus, rotateWebhookSecret, { environment, accountId, id, overlapSec: 0 });
    answer(500);
    await eventually(() => expect(receiver.received).toHaveLength(2));
    const { headers, body } = receiver.received[1]!;
    const hmac = createHmac('sha256', secret)
      .update(`${String(headers['x-gateway-timestamp'])}.`)
      .update(body);
    expect(headers['x-gateway-signature']).toBe(`sha256=${hmac.digest('hex')}`);
  });

  test('moves: the next attempt goes to its new address, and the log knows both', async () => {
    await using call = await underWay();
    const { receiver, webhook, answer } = call;
    await using elsewhere = await Receiver.start();
    await change(webhook, { url: elsewhere.url });
    answer(500);
    await eventually(async () => expect(await stateOf(webhook)).toMatchObject({ state: 2, attempts: 2 }));
    expect(elsewhere.received[0]?.headers['x-gateway-delivery-id']).toBe(
      receiver.received[0]?.headers['x-gateway-delivery-id'],
    );
    const { environment, accountId } = webhook;
    const [{ id } = { id: '' }] = await webhooks.deliveries(webhook);
    const request = { environment, accountId, webhookId: webhook.id, id };
    const { attemptLog } = (await callRpc(webhooks.bus, getDelivery, request)).delivery;
    expect(attemptLog.map(({ url }) => url)).toEqual([receiver.url, elsewhere.url]);
  });
});

describe('F22 this machine’s clock', () => {
  test.each([-3_600_000, 3_600_000])('may jump by %i ms: retries keep their distances', async (jumpMs) => {
    await using call = await underWay();
    const { webhook, answer } = call;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + jumpMs });
    try {
      answer(500);
      await eventually(async () => expect(await stateOf(webhook)).toMatchObject({ state: 2, attempts: 2 }));
    } finally {
      vi.useRealTimers();
    }
    const [delivery] = await webhooks.database.query<{ day_seconds: number; logged: number }>(
      `select extract(epoch from expires_at - created_at)::integer as day_seconds,
              (select count(*)::integer from attempt where delivery_id = d.id and started_at > now() - interval '5 minutes'
                  and started_at <= now()) as logged
         from delivery d where endpoint_id = $1`,
      [webhook.id],
    );
    expect(delivery).toEqual({ day_seconds: 86_400, logged: 2 });
  });
});

/** Deliveries that wait while their endpoint is paused, the first of them due for longest. */
async function addBacklog(webhook: Webhook, merchant: Merchant, count: number): Promise<void> {
  await change(webhook, { status: 'paused' });
  await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
  await eventually(async () => expect(await stateOf(webhook)).toMatchObject({ state: 0 }));
  await webhooks.database.query(
    `insert into delivery (endpoint_id, id, event_id, format, data_id, event, due_at, created_at, expires_at)
     select endpoint_id, 'dlv_' || lpad(n::text, 26, '0'), event_id, format, 'dep_' || n, event,
            due_at - interval '1 hour' + n * interval '1 millisecond', created_at, expires_at
       from delivery cross join generate_series(1, $2) as n where endpoint_id = $1`,
    [webhook.id, count],
  );
}

describe('F23 an endpoint with a long backlog', () => {
  test('that recovers gets the oldest first, and others are not kept waiting by it', async () => {
    const backlog = 20_000;
    const looked = 40;
    const merchant = newMerchant();
    await using receiver = await Receiver.start();
    const webhook = await webhooks.register(merchant, receiver.url);
    await addBacklog(webhook, merchant, backlog);
    await change(webhook, { status: 'enabled' });
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(looked));
    const other = newMerchant();
    await using elsewhere = await Receiver.start();
    await webhooks.register(other, elsewhere.url);
    await publishDeposit(webhooks.bus, paid(newDeposit(other)));
    await eventually(() => expect(elsewhere.received).toHaveLength(1));
    expect(receiver.received.length).toBeLessThan(backlog);
    // Up to eight are under way at once, so neighbours may overtake each other.
    const order = receiver.received
      .slice(0, looked)
      .map(({ headers }) => Number(String(headers['x-gateway-delivery-id']).slice(4)));
    order.forEach((number, index) => expect(Math.abs(number - (index + 1))).toBeLessThanOrEqual(16));
    await webhooks.remove(webhook);
  });

  test('that fails once in between: what was leased ahead goes back untouched, and all is delivered once', async () => {
    const backlog = 300;
    const merchant = newMerchant();
    await using receiver = await Receiver.start((response, _received, number) => {
      response.writeHead(number === 150 ? 500 : 204).end();
    });
    const webhook = await webhooks.register(merchant, receiver.url);
    await addBacklog(webhook, merchant, backlog);
    await change(webhook, { status: 'enabled' });
    const counted = `
      select count(*)::integer as delivered, sum(attempts)::integer as calls, max(q.inflight)::integer as inflight
        from delivery d join endpoint_queue q using (endpoint_id) where endpoint_id = $1 and state = 2`;
    await eventually(async () => {
      const [row] = await webhooks.database.query(counted, [webhook.id]);
      expect(row).toEqual({ delivered: backlog + 1, calls: backlog + 2, inflight: 0 });
    });
    expect(receiver.received).toHaveLength(backlog + 2);
    await webhooks.remove(webhook);
  });
});
