import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Readiness } from '@gateway/runtime';
import { eventually, silentLogger } from '@gateway/test-kit';
import type { Webhook } from '@gateway/contracts/webhooks';
import { startService } from '#src/service.ts';
import { Cable } from './support/cable.ts';
import { newDeposit, newMerchant, paid, publishDeposit } from './support/events.ts';
import { Receiver } from './support/receiver.ts';
import { createHarness, type Harness } from './support/harness.ts';

let webhooks: Harness;
let postgres: Cable;
let nats: Cable;
let service: AsyncDisposable;
beforeAll(async () => {
  webhooks = await createHarness();
  postgres = await Cable.to(webhooks.env['DATABASE_URL'] ?? '');
  nats = await Cable.to(webhooks.env['NATS_URL'] ?? '');
  service = await startService({
    name: 'webhooks',
    env: { ...webhooks.env, DATABASE_URL: postgres.url, NATS_URL: nats.url },
    logger: silentLogger,
    readiness: new Readiness(),
    signal: new AbortController().signal,
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await Promise.all([postgres[Symbol.asyncDispose](), nats[Symbol.asyncDispose]()]);
  await webhooks[Symbol.asyncDispose]();
});

/** Waits until a client has failed to reach the servers. */
async function noticed(...cables: readonly Cable[]): Promise<void> {
  const before = cables.map(({ refused }) => refused);
  await eventually(() => cables.forEach(({ refused }, index) => expect(refused).toBeGreaterThan(before[index] ?? 0)));
}

/** After reconnecting, which takes its time. */
async function deliveredOnce({ id }: Webhook, receiver: Receiver): Promise<void> {
  await eventually(async () => {
    const rows = await webhooks.database.query(
      `select state, attempts, response_status, error, inflight
           from delivery d join endpoint_queue q on q.endpoint_id = d.endpoint_id where d.endpoint_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ state: 2, attempts: 1, response_status: 204, error: null, inflight: 0 }]);
  });
  expect(receiver.received).toHaveLength(1);
}

describe('F20 an outage', () => {
  test('of PostgreSQL during a call: the call is recorded when it is back, and not made again', async () => {
    const answers: (() => void)[] = [];
    await using receiver = await Receiver.start((response) => void answers.push(() => response.writeHead(204).end()));
    const merchant = newMerchant();
    const webhook = await webhooks.register(merchant, receiver.url);
    await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
    await eventually(() => expect(answers).toHaveLength(1));
    postgres.cut();
    answers[0]?.();
    await noticed(postgres);
    postgres.mend();
    await deliveredOnce(webhook, receiver);
  });

  test.each([
    ['PostgreSQL', () => [postgres]],
    ['NATS', () => [nats]],
    ['PostgreSQL and NATS', () => [postgres, nats]],
  ])('of %s: what is said meanwhile is delivered once when it is back', async (_what, cablesOf) => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    const webhook = await eventually(() => webhooks.register(merchant, receiver.url));
    const cables = cablesOf();
    for (const cable of cables) cable.cut();
    await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
    await noticed(...cables);
    for (const cable of cables) cable.mend();
    await deliveredOnce(webhook, receiver);
  });
});
