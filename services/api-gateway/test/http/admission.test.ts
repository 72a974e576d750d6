import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDeposit, listDeposits, showDeposits } from '@gateway/contracts/deposits';
import { createPayout } from '@gateway/contracts/payouts';
import { answering } from '@gateway/messaging';
import { metricsText } from '@gateway/runtime';
import { eventually } from '@gateway/test-kit';
import { LatencyLimit } from '#src/limits/latency-limit.ts';
import { listing } from '../harness/listing.ts';
import { depositOf, payoutOf } from '../harness/records.ts';
import { startGateway, type GatewayUnderTest, type KeyPair } from '../harness/start-gateway.ts';

const moreThanMayBe = new LatencyLimit({ queueMsMax: 0, least: 0 }, 0).value + 50;
type Account = Awaited<ReturnType<GatewayUnderTest['newAccount']>>;

let gateway: GatewayUnderTest;
let busy: Account;
let other: Account;
/** References of the deposits that the service was asked for; those in test mode are answered when `release` is called. */
const asked: string[] = [];
let waiting: (() => void)[] = [];

beforeAll(async () => {
  gateway = await startGateway([
    answering(createDeposit, async (request) => {
      asked.push(request.externalId);
      if (request.environment === 'test') await new Promise<void>((resolve) => waiting.push(resolve));
      return { created: true, deposit: depositOf(request) };
    }),
    answering(createPayout, async (request) => ({ created: true, payout: payoutOf(request) })),
    ...listing('deposit', { list: listDeposits, show: showDeposits }, async () => ({ deposits: [], nextCursor: null })),
  ]);
  const rate = { rate_limit: { per_second: 10_000, burst: 10_000 } };
  [busy, other] = [await gateway.newAccount(rate), await gateway.newAccount(rate)];
});
afterAll(async () => {
  release();
  await gateway[Symbol.asyncDispose]();
});

function release(): void {
  for (const answer of waiting) answer();
  waiting = [];
}

let count = 0;
const reference = () => `order-${++count}`;
const create = (key: KeyPair, externalId = reference()) =>
  gateway.asMerchant(key, 'POST', '/v1/deposits', { body: { amount_cents: 1_990, external_id: externalId } });

/** As many deposits of one account in test mode as the limit lets in, however far it has moved. */
async function fill(): Promise<{
  readonly answers: () => Promise<{ readonly accepted: number; readonly made: number }>;
}> {
  const askedBefore = asked.length;
  let refused = 0;
  // The first call of a key is authenticated by the database.
  await gateway.asMerchant(busy.test, 'GET', '/v1/account');
  const calls = Array.from({ length: moreThanMayBe }, async () => {
    const { status } = await create(busy.test);
    if (status === 503) refused += 1;
    return status;
  });
  await eventually(() => expect(asked.length - askedBefore + refused).toBe(moreThanMayBe));
  expect(refused).toBeGreaterThan(0);
  const answers = async () => {
    release();
    const statuses = await Promise.all(calls);
    return { accepted: moreThanMayBe - refused, made: statuses.filter((status) => status === 201).length };
  };
  return { answers };
}

describe('while as many deposits of an account are under way as may be', () => {
  test('the next is 503 with Retry-After, and nothing has happened: the same call is carried out afterwards', async () => {
    const { answers } = await fill();
    const externalId = reference();
    const refused = await create(busy.test, externalId);
    expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(refused.headers.get('x-request-id')).toBe(refused.body.error.request_id);
    expect(asked).not.toContain(externalId);
    const { accepted, made } = await answers();
    expect(made).toBe(accepted);
    const again = create(busy.test, externalId);
    await eventually(() => expect(asked).toContain(externalId));
    release();
    expect((await again).status).toBe(201);
  });

  test('another account gets in, and is not refused for what the first one has', async () => {
    const { answers } = await fill();
    const externalId = reference();
    const created = create(other.test, externalId);
    await eventually(() => expect(asked).toContain(externalId));
    expect((await create(busy.test)).status).toBe(503);
    await answers();
    expect((await created).status).toBe(201);
  });

  test('everything else goes on: live deposits, payouts, reads, operators and health', async () => {
    const { answers } = await fill();
    const payout = {
      ...{ amount_cents: 1_200, external_id: reference(), pix_key: 'maria@example.com', pix_key_type: 'email' },
      recipient: { name: 'Maria da Silva', document: '529.982.247-25' },
    };
    const others = await Promise.all([
      create(busy.live),
      gateway.asMerchant(busy.test, 'POST', '/v1/payouts', { body: payout }),
      gateway.asMerchant(busy.test, 'GET', '/v1/deposits'),
      gateway.asOperator('GET', '/ops/accounts'),
    ]);
    expect(others.map(({ status }) => status)).toEqual([201, 201, 200, 200]);
    expect((await gateway.call('GET', '/health')).body).toHaveProperty('services');
    await answers();
  });

  test('calls with the name of its key and a wrong secret are refused like its own, and take nothing once it is free', async () => {
    const forged = { ...other.test, secret_key: 'sk_test_guessed' };
    const { answers } = await fill();
    expect((await create({ ...busy.test, secret_key: 'sk_test_guessed' })).status).toBe(503);
    await answers();
    expect((await create(forged)).status).toBe(401);
    const { text } = await metricsText();
    expect(text).toContain('gateway_admission_under_way{environment="test",operation="deposit"} 0');
  });

  test('what is refused is counted, and what fails gives its place back', async () => {
    const { answers } = await fill();
    await create(busy.test);
    await answers();
    const failing = await gateway.asMerchant(busy.test, 'POST', '/v1/deposits', { body: { amount_cents: 0 } });
    expect(failing.status).toBe(400);
    const unanswered = await gateway.asMerchant(busy.test, 'GET', '/v1/balance');
    expect(unanswered.status).toBe(503);
    const { text } = await metricsText();
    expect(text).toMatch(/gateway_admission_refused_total\{environment="test",operation="deposit"\} [1-9]/);
    expect(text).toContain('gateway_admission_under_way{environment="test",operation="deposit"} 0');
    expect(text).toContain('gateway_admission_under_way{environment="test",operation="read"} 0');
  });
});
