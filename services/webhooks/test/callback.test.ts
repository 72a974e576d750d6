import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listWebhooks, rotateCallbackSecret } from '@gateway/contracts/webhooks';
import { callRpc } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { removeIdleCallbacks } from '#src/subscriptions/remove-idle-callbacks.ts';
import { callbackOriginsMax } from '#src/fanout/callback-destinations.ts';
import { newDeposit, newMerchant, paid, publishDeposit, publishDispute } from './support/events.ts';
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

describe('a callback URL', () => {
  test('gets the events of its deposit, signed with the callback secret of the account', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const { secret } = await callRpc(webhooks.bus, rotateCallbackSecret, merchant);
    const deposit = newDeposit(merchant, { callbackUrl: `${receiver.url}?order=1` });
    const other = newDeposit(merchant);
    await publishDeposit(webhooks.bus, deposit);
    await publishDeposit(webhooks.bus, paid(other));
    await publishDeposit(webhooks.bus, paid(deposit));
    await eventually(() => expect(receiver.received).toHaveLength(2));
    expect(receiver.paths).toEqual(['/hook?order=1', '/hook?order=1']);
    for (const { headers, body } of receiver.received) {
      const text = createHmac('sha256', secret)
        .update(`${String(headers['x-gateway-timestamp'])}.`)
        .update(body);
      expect(headers['x-gateway-signature']).toBe(`sha256=${text.digest('hex')}`);
      expect((JSON.parse(body.toString()) as { data: { id: string } }).data.id).toBe(deposit.id);
    }
  });

  test('gets the disputes of its deposit', async () => {
    await using receiver = await Receiver.start();
    const callback = { url: receiver.url, apiVersion: '0.1' } as const;
    const { id } = await publishDispute(webhooks.bus, newMerchant(), callback);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const [told] = receiver.received.map(({ body }) => JSON.parse(body.toString()) as object);
    expect(told).toMatchObject({ event: 'med.opened', data: { id, object: 'dispute' } });
  });

  test('shares its queue with the others of its origin, and is none of the merchant’s webhooks', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const urls = ['?order=1', '?order=2', '?order=3'].map((query) => `${receiver.url}${query}`);
    for (const callbackUrl of urls) await publishDeposit(webhooks.bus, newDeposit(merchant, { callbackUrl }));
    await eventually(() => expect(receiver.received).toHaveLength(3));
    const endpoints = await webhooks.database.query('select url from endpoint where account_id = $1', [
      merchant.accountId,
    ]);
    expect(endpoints).toEqual([{ url: new URL(receiver.url).origin }]);
    expect(await callRpc(webhooks.bus, listWebhooks, { ...merchant, limit: 10 })).toEqual({
      webhooks: [],
      nextCursor: null,
    });
  });

  test('has its endpoint as long as something waits for it, and the same one when it is needed again', async () => {
    let status = 500;
    await using receiver = await Receiver.start((response) => response.writeHead(status).end());
    const merchant = newMerchant();
    const callbackUrl = receiver.url;
    const endpoints = () =>
      webhooks.database.query<{ id: string; queues: number }>(
        `select id, (select count(*)::integer from endpoint_queue where endpoint_id = endpoint.id) as queues
           from endpoint where account_id = $1`,
        [merchant.accountId],
      );
    const deposit = newDeposit(merchant, { callbackUrl });
    const { id } = await publishDeposit(webhooks.bus, deposit);
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(0));
    await removeIdleCallbacks(webhooks.database);
    const [kept] = await endpoints();
    expect(kept).toMatchObject({ queues: 1 });
    status = 200;
    await webhooks.database.query('update delivery set due_at = now() where endpoint_id = $1 and state = 0', [
      kept?.id,
    ]);
    await webhooks.database.query(
      `update endpoint_queue set ready_at = now(), held_until = '-infinity' where endpoint_id = $1`,
      [kept?.id],
    );
    await eventually(async () => {
      await removeIdleCallbacks(webhooks.database);
      expect(await endpoints()).toEqual([]);
    });
    const heard = receiver.received.length;
    await publishDeposit(webhooks.bus, deposit, { id });
    await publishDeposit(webhooks.bus, paid(deposit));
    await eventually(() => expect(receiver.received).toHaveLength(heard + 1));
    expect(await endpoints()).toEqual([kept]);
  });

  test('of one origin too many shares a queue, and its callbacks are delivered all the same', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    await webhooks.database.query(
      `insert into endpoint (environment, account_id, id, kind, name, url, events, status, api_version, created_at)
       select 'test', $1, 'whk_' || $1 || n, 'callback', 'callback', 'https://h' || n || '.example', '[]', 'disabled',
              '0.1', now() from generate_series(1, $2::integer) as n`,
      [merchant.accountId, callbackOriginsMax],
    );
    await using other = await Receiver.start();
    for (const { url: callbackUrl } of [receiver, other]) {
      await publishDeposit(webhooks.bus, newDeposit(merchant, { callbackUrl }));
    }
    await eventually(() => expect([receiver.received.length, other.received.length]).toEqual([1, 1]));
    const [{ count } = { count: 0 }] = await webhooks.database.query<{ count: number }>(
      `select count(*)::integer as count from endpoint where account_id = $1 and status = 'enabled'`,
      [merchant.accountId],
    );
    expect(count).toBe(1);
  });

  test('of an endpoint that its receiver has switched off is not called again', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const publish = () => publishDeposit(webhooks.bus, newDeposit(merchant, { callbackUrl: receiver.url }));
    await publish();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await webhooks.database.query(`update endpoint set status = 'disabled' where account_id = $1`, [
      merchant.accountId,
    ]);
    await publish();
    await using later = await Receiver.start();
    await publishDeposit(webhooks.bus, newDeposit(newMerchant(), { callbackUrl: later.url }));
    await eventually(() => expect(later.received).toHaveLength(1));
    const deliveries = await webhooks.database.query(
      `select 1 from delivery join endpoint on endpoint.id = endpoint_id where account_id = $1`,
      [merchant.accountId],
    );
    expect([deliveries.length, receiver.received.length]).toEqual([1, 1]);
  });

  test('is signed with the new secret once it was replaced', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    await publishDeposit(webhooks.bus, newDeposit(merchant, { callbackUrl: receiver.url }));
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const { secret } = await callRpc(webhooks.bus, rotateCallbackSecret, merchant);
    await publishDeposit(webhooks.bus, newDeposit(merchant, { callbackUrl: receiver.url }));
    const { headers, body } = await eventually(() => {
      expect(receiver.received).toHaveLength(2);
      return receiver.received[1]!;
    });
    const text = createHmac('sha256', secret)
      .update(`${String(headers['x-gateway-timestamp'])}.`)
      .update(body);
    expect(headers['x-gateway-signature']).toBe(`sha256=${text.digest('hex')}`);
  });
});
