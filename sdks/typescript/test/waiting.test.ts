import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gateway } from '#src/index.ts';
import { clientOf, deposit, payout, payoutParams, secretKey } from './support/client.ts';
import { HttpServer } from './support/http-server.ts';

let server: HttpServer;
beforeAll(async () => {
  server = await HttpServer.start();
});
afterAll(async () => server[Symbol.asyncDispose]());

describe('a payout', () => {
  test('that a person has to approve is answered as it is, and waited for by who asks for its end', async () => {
    const pending = { json: { payout: { ...payout, status: 'PENDING', pending_reason: 'limit' } } };
    const end = { json: { payout: { ...payout, status: 'PAID' } } };
    const { payouts } = clientOf(server.url);
    server.reply({ ...pending, status: 201 }, pending);
    expect(await payouts.createAndWait(payoutParams)).toMatchObject({ id: 'pyt_1', status: 'PENDING' });
    expect(server.seen).toHaveLength(2);
    server.reply({ ...pending, status: 201 }, pending, end);
    const until = ({ status }: { readonly status: string }) => status === 'PAID';
    expect(await payouts.createAndWait(payoutParams, { until })).toMatchObject({ status: 'PAID' });
  });

  test('that is waited for is not, from the abort of the signal on', async () => {
    server.reply({ status: 201, json: { payout } }, { json: { payout } });
    const controller = new AbortController();
    const waited = clientOf(server.url)
      .payouts.createAndWait(payoutParams, { signal: controller.signal })
      .catch((caught: unknown) => caught);
    await expect.poll(() => server.seen.length).toBe(2);
    const reason = new Error('the shop closes');
    controller.abort(reason);
    expect(await waited).toBe(reason);
  });
});

test('a payment of test mode is repeated, but for one of an amount: a second one is a second transfer', async () => {
  const { test: world } = clientOf(server.url);
  const { test: beta } = new Gateway({ baseUrl: server.url, publicKey: 'pk_test_shop', secretKey, apiVersion: '1.0' });
  server.reply('reset', { json: { ...deposit, status: 'PAID' } });
  expect(await world.deposits.pay('dep_1', { amount_cents: null })).toMatchObject({ status: 'PAID' });
  expect(server.seen).toHaveLength(2);
  for (const pay of [
    () => world.deposits.pay('dep_1', { amount_cents: 500 }),
    () => beta.deposits.pay('dep_1', { amount: 500 }),
  ]) {
    server.reply('reset', { json: { ...deposit, status: 'PAID' } });
    await expect(pay()).rejects.toMatchObject({ sent: true, attempts: 1 });
    expect(server.seen).toHaveLength(1);
  }
});

describe('a deposit', () => {
  const as = (status: string) => ({ json: { ...deposit, status } });

  test.each(['PAID', 'EXPIRED', 'REFUNDED', 'FAILED'])('is waited for until it is %s', async (status) => {
    server.reply(as('PENDING'), as(status), as('PENDING'));
    expect(await clientOf(server.url).deposits.waitFor('dep_1', { waitMs: 2_000 })).toMatchObject({
      id: 'dep_1',
      status,
    });
    expect(server.seen).toHaveLength(2);
  });

  test('is waited for as the caller wants it, and shown as it was last where that takes too long', async () => {
    const { deposits } = clientOf(server.url);
    const until = ({ status }: { readonly status: string }) => status === 'REFUNDED';
    server.reply(as('PAID'), as('REFUNDED'));
    expect(await deposits.waitFor('dep_1', { until })).toMatchObject({ status: 'REFUNDED' });
    server.reply(as('PENDING'));
    const late = deposits.waitFor('dep_1', { waitMs: 1 });
    await expect(late).rejects.toMatchObject({ name: 'TimeoutError', record: { id: 'dep_1', status: 'PENDING' } });
  });
});
