import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SeededRandom } from '../faults/seeded-random.ts';
import { FaultProxy, faults } from './fault-proxy.ts';
import { newMerchant } from './new-merchant.ts';
import type { Stage } from './stage.ts';

/** Shops whose calls are lost, doubled and delayed. */
export function describeFailingNetwork(given: () => Stage): void {
  const shops = Array.from({ length: 200 }, (_, seed) => seed);
  const [amount, sent, refunded] = [1_000, 300, 100];

  test('every external_id is one record, and no cent is lost or doubled', async () => {
    const { stack, sdk } = given();
    const { Gateway } = await import(join(sdk.project, 'node_modules/@gateway/sdk/dist/index.js'));
    const { plain, ...connection } = await newMerchant(stack);
    await using proxy = await FaultProxy.start(connection.baseUrl, new SeededRandom(20), 2);
    // Longer than any answer of a slow machine, whose calls would only pile up.
    const quick = { timeoutMs: 3_000, retryDelayMs: 5 };
    const gateway = new Gateway({ ...connection, ...quick, baseUrl: proxy.url });
    const recipient = { name: 'Maria da Silva', document: '52998224725' };
    const key = { pix_key: 'maria@example.com', pix_key_type: 'email', recipient };

    const shop = async (seed: number) => {
      const id = `shop-${seed}`;
      const deposit: any = await persist(() => gateway.deposits.create({ amount_cents: amount, external_id: id }));
      const paid: any = await persist(() => gateway.test.deposits.pay(deposit.id));
      const payout: any = await persist(() => gateway.payouts.create({ amount_cents: sent, external_id: id, ...key }));
      const refund = { amount_cents: refunded, external_id: id };
      const refunding: any = await persist(() => gateway.deposits.refunds.create(deposit.id, refund));
      const drop = { amount_cents: 5, external_id: `${id}-dropped` };
      const dropped: any = await persist(() => gateway.deposits.create(drop));
      const canceled: any = await persist(() =>
        gateway.deposits.cancel(dropped.id).catch((error: any) => {
          // The network has doubled the first attempt, or the last call got no answer.
          if (error.name !== 'InvalidStateError') throw error;
          return gateway.deposits.get(dropped.id);
        }),
      );
      expect([paid.status, refunding.amount_cents, canceled.status]).toEqual(['PAID', refunded, 'FAILED']);
      return [deposit.id, payout.id, refunding.id];
    };
    const waiting = shops.values();
    const made: string[][] = [];
    await Promise.all(
      Array.from({ length: 24 }, async () => {
        for (const seed of waiting) made.push(await shop(seed));
      }),
    );
    await proxy.settled();

    expect([...proxy.happened.keys()].sort()).toEqual([...faults].sort());
    expect(new Set(made.flat()).size).toBe(3 * shops.length);
    const all = async (path: string) => {
      const { body } = await plain.get(`${path}limit=200`);
      const rest = body.next_cursor ? await plain.get(`${path}limit=200&cursor=${body.next_cursor}`) : undefined;
      return [...body.data, ...(rest?.body.data ?? [])];
    };
    const left = shops.length * (amount - sent - refunded);
    await expect.poll(async () => (await all('/v1/payouts?status=PAID&')).length, { interval: 500 }).toBe(shops.length);
    expect((await all('/v1/payouts?')).map(({ external_id }) => external_id).sort()).toEqual(
      shops.map((seed) => `shop-${seed}`).sort(),
    );
    expect((await all('/v1/refunds?')).map(({ amount_cents }) => amount_cents)).toEqual(shops.map(() => refunded));
    expect(await all('/v1/deposits?status=PAID&')).toHaveLength(shops.length);
    expect(await all('/v1/deposits?status=FAILED&')).toHaveLength(shops.length);
    const { body: balance } = await plain.get('/v1/balance');
    expect(balance.brl).toMatchObject({ available_cents: left, pending_cents: 0, blocked_cents: 0, total_cents: left });
    const headers = { authorization: `Bearer ${stack.dev.ops_tokens[0]}` };
    const reconciled = await fetch(`${stack.opsUrl}/ops/reconciliations`, { method: 'POST', headers });
    expect(await reconciled.json()).toMatchObject({ status: 'OK' });
  });
}

/** What a shop does that knows nothing but its own `external_id`s: again, until it has an answer. */
async function persist<T>(call: () => PromiseLike<T>): Promise<T> {
  for (let rest = 100; ; rest -= 1) {
    try {
      return await call();
    } catch (error) {
      const { name, status = 500 } = error as { name: string; status?: number };
      if (rest === 0 || !(status >= 500 || status === 429)) throw error;
      expect(['ConnectionError', 'TimeoutError', 'ApiError', 'InternalError', 'RateLimitedError']).toContain(
        name.replace(/^(Service|Provider).*/, 'ApiError'),
      );
    }
  }
}
