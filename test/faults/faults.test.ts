import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryHome } from '@gateway/local-stack';
import { eventually } from '@gateway/test-kit';
import { MerchantClient } from '../support/merchant-client.ts';
import { facts, type FactAtHand } from './facts/facts.ts';
import { loseTwice } from './facts/lose-twice.ts';
import { Scene } from './facts/scene.ts';
import { faults } from './kinds/all.ts';
import { SimulatedBank } from './load/simulated-bank.ts';
import { planOf } from './plan.ts';
import { runSeed } from './run-seed.ts';
import { startStage, type Stage } from './stage/stage.ts';

// The short form of `npm run test:faults`: every kind of fault once, on one stack, and every process killed.

const outageTimeoutMs = 60_000;
const seedTimeoutMs = 240_000;

let stage: Stage;
let merchant: MerchantClient;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  stage = stopping.use(await startStage({ topology: 'single', home: home.path }));
  merchant = new MerchantClient(stage.stack.baseUrl, stage.stack.dev.merchants[0]!.test);
});
afterAll(async () => stopping.disposeAsync());

const deposit = (externalId: string) =>
  eventually(
    async () => {
      const answer = await merchant.post('/v1/deposits', { amount_cents: 1_000, external_id: externalId });
      expect([200, 201]).toContain(answer.status);
      return answer.body;
    },
    { timeoutMs: outageTimeoutMs, everyMs: 100 },
  );

describe('nothing answered is lost and nothing happens twice when', () => {
  test.each(faults.map(({ name }, index) => [name, index] as const))(
    '%s',
    { timeout: seedTimeoutMs },
    async (name, index) => {
      // Faults take turns in the seeds of a machine that can have all of them.
      const plan = planOf(index, stage, true);
      const fault = faults[index]!;
      const possible = fault.victims(stage);
      const victims = name === 'kill' ? possible : plan.victims.filter((victim) => possible.includes(victim));
      const chosen = victims.length > 0 ? victims : possible.slice(0, 1);
      if (chosen.length === 0) return expect(stage.brokerDisk).toBeUndefined();
      const { problems } = await runSeed(stage, { ...plan, fault, victims: chosen });
      expect(problems).toEqual([]);
    },
  );
});

describe('where the broker lost its data before they were read, and again before the ledger had decided', () => {
  const atHand: FactAtHand[] = [];

  beforeAll(async () => {
    const scene = await Scene.open(stage, 'facts');
    for (const fact of facts) atHand.push(await fact.prepare(scene));
    await scene.onlyNotifications();
    await loseTwice(stage, atHand);
  }, seedTimeoutMs);

  test.each(facts.map(({ name }, index) => [name, index] as const))('%s', { timeout: seedTimeoutMs }, (_name, index) =>
    eventually(() => atHand[index]!.holds(), { timeoutMs: outageTimeoutMs, everyMs: 250 }),
  );

  afterAll(async () => await new SimulatedBank(stage.stack.simulatorUrl).removeFaults());
});

describe('a server that is away', () => {
  const expectRefused = async (path: string, method: 'get' | 'post', body?: unknown) => {
    const answer = await merchant[method](path, body);
    expect([path, answer.status, answer.body.error.code]).toEqual([path, 503, 'SERVICE_UNAVAILABLE']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  };

  test('PostgreSQL: every read is 503 with Retry-After, never 500', async () => {
    const { id } = await deposit('before-the-outage');
    const lists = ['/v1/deposits', '/v1/payouts', '/v1/balance', '/v1/transactions', '/v1/webhooks'];
    await stage.stack.postgres.stop();
    try {
      for (const path of [`/v1/deposits/${id}`, ...lists]) await expectRefused(path, 'get');
    } finally {
      await stage.stack.postgres.start();
      await stage.ready();
    }
    expect((await merchant.get(`/v1/deposits/${id}`)).status).toBe(200);
  });

  test('NATS: 503 with Retry-After, and the next call after its return works', async () => {
    const [node] = stage.broker;
    await node!.stop('orderly');
    await expectRefused('/v1/deposits', 'post', { amount_cents: 1_000, external_id: 'while-away' });
    await node!.start();
    await stage.ready();
    expect(await deposit('while-away')).toMatchObject({ external_id: 'while-away' });
  });
});
