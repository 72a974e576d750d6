import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { eventually } from '@gateway/service-kit/testing';
import { MerchantClient, type Answer } from './support/merchant-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

const services = ['api-gateway', 'ledger', 'deposits', 'payouts', 'webhooks', 'compat'];
const amountCents = 1_000;
const recoveryTimeoutMs = 60_000;

let stack: Stack;
let merchant: MerchantClient;
let receiver: WebhookReceiver;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  receiver = stopping.use(await startWebhookReceiver());
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true }));
  const [demo] = stack.dev.merchants;
  if (!demo) throw new Error('the stack made no demo merchant');
  merchant = new MerchantClient(stack.baseUrl, demo.test);
  await untilAnswered(() => merchant.post('/v1/webhooks', { name: 'shop', url: receiver.url }));
});
afterAll(async () => stopping.disposeAsync());

/** What a careful client does: repeats the same call until it gets an answer that settles the matter; 429 does not. */
async function untilAnswered(call: () => Promise<Answer>): Promise<Answer> {
  return await eventually(
    async () => {
      const answer = await call();
      if (answer.status === 429 || (answer.status >= 500 && answer.status !== 504))
        throw new Error(`${answer.status} ${answer.text}`);
      return answer;
    },
    { timeoutMs: recoveryTimeoutMs, everyMs: 100 },
  );
}

const deposit = (externalId: string) =>
  untilAnswered(() => merchant.post('/v1/deposits', { amount_cents: amountCents, external_id: externalId }));
const pay = (id: string) => untilAnswered(() => merchant.post(`/v1/test/deposits/${id}/pay`));
const payout = (externalId: string) =>
  untilAnswered(() =>
    merchant.post('/v1/payouts', {
      amount_cents: amountCents,
      external_id: externalId,
      pix_key: 'maria@example.com',
      pix_key_type: 'email',
      recipient: { name: 'Maria da Silva', document: '52998224725' },
    }),
  );
const available = async (): Promise<number> =>
  (await untilAnswered(() => merchant.get('/v1/balance'))).body.brl.available_cents;

/** Deposits and payouts one after the other, as fast as they are answered, while `disturb` does its worst. */
async function flowsDuring(
  label: string,
  disturb: () => Promise<void>,
): Promise<{ deposits: string[]; payouts: string[] }> {
  const deposits: string[] = [];
  const payouts: string[] = [];
  let disturbed = false;
  const done = disturb().finally(() => (disturbed = true));
  for (let round = 0; !disturbed || round < 5; round++) {
    const created = await deposit(`${label}-d${round}`);
    expect([200, 201]).toContain(created.status);
    deposits.push(created.body.id);
    expect((await pay(created.body.id)).body.status).toBe('PAID');
    const sent = await payout(`${label}-p${round}`);
    expect([200, 201]).toContain(sent.status);
    payouts.push(sent.body.payout.id);
  }
  await done;
  return { deposits, payouts };
}

async function expectEverythingOnce(
  before: number,
  { deposits, payouts }: { deposits: string[]; payouts: string[] },
): Promise<void> {
  expect(new Set(deposits).size).toBe(deposits.length);
  expect(new Set(payouts).size).toBe(payouts.length);
  for (const id of payouts) {
    await eventually(
      async () =>
        expect((await untilAnswered(() => merchant.get(`/v1/payouts/${id}`))).body.payout.status).toBe('PAID'),
      { timeoutMs: recoveryTimeoutMs },
    );
  }
  expect(await available()).toBe(before + (deposits.length - payouts.length) * amountCents);
  for (const [ids, type] of [
    [deposits, 'DEPOSIT_NET'],
    [payouts, 'PAYOUT'],
  ] as const) {
    for (const id of ids) {
      const entries = await untilAnswered(() => merchant.get(`/v1/transactions?ref_id=${id}`));
      expect(entries.status, entries.text).toBe(200);
      expect(entries.body.data.map((entry: { type: string }) => entry.type)).toEqual([type]);
    }
  }
  await eventually(
    () => {
      for (const id of deposits) expect(receiver.of('deposit.paid', id).length).toBeGreaterThan(0);
      for (const id of payouts) expect(receiver.of('payout.paid', id).length).toBeGreaterThan(0);
    },
    { timeoutMs: recoveryTimeoutMs },
  );
}

describe('kill -9 of one process during deposits and payouts', () => {
  test.each(services)('%s: every answered flow completes, nothing twice', { timeout: 180_000 }, async (service) => {
    const before = await available();
    const restarts = stack.restartCount(service);
    const flows = await flowsDuring(`kill-${service}`, async () => {
      stack.process(service).kill('SIGKILL');
      await eventually(() => expect(stack.restartCount(service)).toBeGreaterThan(restarts), { timeoutMs: 30_000 });
      await stack.ready();
    });
    await expectEverythingOnce(before, flows);
  });
});

describe('a dependency that goes away', () => {
  test('PostgreSQL restarted under load loses no answered call', { timeout: 180_000 }, async () => {
    const before = await available();
    const flows = await flowsDuring('postgres', async () => {
      await stack.postgres.restart();
      await stack.ready();
    });
    await expectEverythingOnce(before, flows);
  });

  test('PostgreSQL away is 503 with Retry-After on every read, never 500', { timeout: 180_000 }, async () => {
    const known = await deposit('before-the-outage');
    const reads = [
      `/v1/deposits/${known.body.id}`,
      '/v1/deposits',
      '/v1/payouts',
      '/v1/balance',
      '/v1/transactions',
      '/v1/webhooks',
    ];
    await stack.postgres.stop();
    try {
      for (const path of reads) {
        const answer = await merchant.get(path);
        expect([path, answer.status, answer.body.error.code]).toEqual([path, 503, 'SERVICE_UNAVAILABLE']);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    } finally {
      await stack.postgres.start();
      await stack.ready();
    }
    expect((await merchant.get(reads[0]!)).status).toBe(200);
  });

  test('NATS killed under load loses no answered call', { timeout: 180_000 }, async () => {
    const before = await available();
    const flows = await flowsDuring('nats', async () => {
      await stack.natsServer.kill();
      await stack.natsServer.start();
      await stack.ready();
    });
    await expectEverythingOnce(before, flows);
  });

  test(
    'NATS away is 503 with Retry-After, and the next call after its return works',
    { timeout: 180_000 },
    async () => {
      await stack.natsServer.stop();
      const refused = await merchant.post('/v1/deposits', { amount_cents: amountCents, external_id: 'while-away' });
      expect(refused.status).toBe(503);
      expect(refused.body.error.code).toBe('SERVICE_UNAVAILABLE');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      await stack.natsServer.start();
      await stack.ready();
      expect([200, 201]).toContain((await deposit('while-away')).status);
    },
  );
});
