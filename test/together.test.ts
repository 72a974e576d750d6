import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceNames } from '@gateway/contracts/messages';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { eventually } from '@gateway/test-kit';
import { MerchantClient, type Answer } from './support/merchant-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

let home: string;
let stack: Stack;
let merchant: MerchantClient;
let receiver: WebhookReceiver;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  home = stopping.use(temporaryHome()).path;
  receiver = stopping.use(await startWebhookReceiver());
  stack = stopping.use(await startStack({ home, durable: false, quiet: true, layout: 'together' }));
  const [demo] = stack.dev.merchants;
  if (!demo) throw new Error('the stack made no demo merchant');
  merchant = new MerchantClient(stack.baseUrl, demo.test);
  expect((await merchant.post('/v1/webhooks', { name: 'shop', url: receiver.url })).status).toBe(201);
});
afterAll(async () => stopping.disposeAsync());

const depositCents = 1_000;
const payoutCents = 300;

const available = async (): Promise<number> => (await merchant.get('/v1/balance')).body.brl.available_cents;

/** Repeats a call until it is answered with an outcome: the process it went to may have died. */
const untilAnswered = (path: string, body?: object): Promise<Answer> =>
  eventually(
    async () => {
      const answer = await merchant.post(path, body);
      if (answer.status === 429 || answer.status >= 500) throw new Error(`${answer.status} ${answer.text}`);
      return answer;
    },
    { timeoutMs: 180_000, everyMs: 100 },
  );

/** A charge that is paid, and a payout from it; answers their ids. */
async function journey(name: string): Promise<{ readonly deposit: string; readonly payout: string }> {
  const created = await untilAnswered('/v1/deposits', { amount_cents: depositCents, external_id: name });
  const { id } = created.body;
  const paid = await untilAnswered(`/v1/test/deposits/${id}/pay`);
  expect(paid.body).toMatchObject({ id, status: 'PAID' });
  const payout = await untilAnswered('/v1/payouts', {
    amount_cents: payoutCents,
    external_id: name,
    pix_key: 'maria@example.com',
    pix_key_type: 'email',
    recipient: { name: 'Maria da Silva', document: '529.982.247-25' },
  });
  expect([200, 201]).toContain(payout.status);
  return { deposit: id, payout: payout.body.payout.id };
}

const metricsOf = async (service: string): Promise<string> => {
  const port = stack.process(service).definition.env[`${service.toUpperCase().replaceAll('-', '_')}__INTERNAL_PORT`];
  return await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
};

test('services that share a process are one process, each with its own readiness and metrics', async () => {
  const processes = new Set(serviceNames.map((service) => stack.process(service)));
  expect([...processes].map(({ name }) => name)).toEqual(['gateway']);
  await journey('metrics');
  const deposits = await metricsOf('deposits');
  expect(deposits).toContain(
    'gateway_rpc_duration_seconds_count{subject="rpc.deposits.create-deposit.v1",outcome="ok"}',
  );
  expect(deposits).toContain('gateway_deposits_total{');
  expect(deposits).not.toMatch(/rpc\.payouts\.|gateway_payouts_total|gateway_http_duration/);
  const gateway = await metricsOf('api-gateway');
  expect(gateway).toContain('gateway_http_duration_seconds_count{route="/v1/deposits",method="POST",status="201"}');
  expect(gateway).not.toMatch(/subject="rpc\.deposits\.|gateway_deposits_total/);
});

test('a stack of the tests begins with databases in which every migration has run', () => {
  const log = readFileSync(join(home, 'logs/gateway.log'), 'utf8');
  expect(log).toContain('"service":"ledger"');
  expect(log).not.toContain('"msg":"migrated"');
});

test('pages that one service writes and another passes on are those of the records', async () => {
  const { deposit, payout } = await journey('listed');
  const pageOf = async (path: string) => (await merchant.get(path)).body.data;
  const shown = (await merchant.get(`/v1/deposits/${deposit}`)).body;
  expect(await pageOf('/v1/deposits?limit=1')).toEqual([shown]);
  expect(await pageOf('/v1/payouts?limit=1')).toMatchObject([{ id: payout }]);
});

test('a merchant’s work under which the process of all services is killed goes on to the cent', async () => {
  const before = await available();
  const clients = 4;
  let killed = false;
  const working = Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const done = [];
      for (let round = 0; !killed || round < 3; round++) done.push(await journey(`killed-${client}-${round}`));
      return done;
    }),
  );
  const restarts = stack.restartCount('ledger');
  stack.process('ledger').kill('SIGKILL');
  await eventually(() => expect(stack.restartCount('ledger')).toBeGreaterThan(restarts));
  await stack.ready();
  killed = true;
  const done = (await working).flat();
  await eventually(
    async () => {
      for (const { deposit, payout } of done) {
        expect((await merchant.get(`/v1/payouts/${payout}`)).body.payout.status).toBe('PAID');
        expect(receiver.of('deposit.paid', deposit).length).toBeGreaterThan(0);
        expect(receiver.of('payout.paid', payout).length).toBeGreaterThan(0);
      }
    },
    { timeoutMs: 90_000, everyMs: 500 },
  );
  expect(new Set(done.map(({ payout }) => payout)).size).toBe(done.length);
  expect(await available()).toBe(before + done.length * (depositCents - payoutCents));
}, 180_000);
