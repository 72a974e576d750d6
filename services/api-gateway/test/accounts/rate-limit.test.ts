import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

test('a key over its limit is 429 with Retry-After, and no other key pays for it', async () => {
  const account = await gateway.newAccount({ rate_limit: { per_second: 1, burst: 2 } });
  const read = (key = account.test) => gateway.asMerchant(key, 'GET', '/v1/account');
  const answers = [await read(), await read(), await read()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  const [first, , refused] = answers;
  expect(first!.headers.get('ratelimit-limit')).toBe('2');
  expect(first!.headers.get('ratelimit-remaining')).toBe('1');
  expect(refused!.body.error.code).toBe('RATE_LIMITED');
  expect(refused!.headers.get('ratelimit-remaining')).toBe('0');
  expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect((await read(account.live)).status).toBe(200);
});

test('a new limit holds for the next request', async () => {
  const account = await gateway.newAccount();
  const read = () => gateway.asMerchant(account.test, 'GET', '/v1/account');
  expect((await read()).headers.get('ratelimit-limit')).toBe('200');
  await gateway.asOperator('PATCH', `/ops/accounts/${account.id}`, { body: { rate_limit: { burst: 7 } } });
  expect((await read()).headers.get('ratelimit-limit')).toBe('7');
});

test('what a key has spent at one gateway is missing at another', async () => {
  const replica = await gateway.startReplica();
  const [burst, spentHere] = [1_000, 100];
  const account = await gateway.newAccount({ rate_limit: { per_second: 1, burst } });
  const read = (from: Pick<GatewayUnderTest, 'asMerchant'>) => from.asMerchant(account.test, 'GET', '/v1/account');
  await Promise.all(Array.from({ length: spentHere }, () => read(gateway)));
  let spentThere = 0;
  await eventually(async () => {
    const { headers } = await read(replica);
    spentThere += 1;
    // In the meantime the limit is refilled by one a second.
    const missing = burst - spentThere - Number(headers.get('ratelimit-remaining'));
    expect(missing).toBeGreaterThan(spentHere / 2);
  });
});

test('what a key has spent at a gateway is deducted there once, also when the other gateways know of it', async () => {
  const replica = await gateway.startReplica();
  const [burst, perRound] = [1_000, 100];
  const account = await gateway.newAccount({ rate_limit: { per_second: 1, burst } });
  const remainingAt = async (from: Pick<GatewayUnderTest, 'asMerchant'>) => {
    const { headers } = await from.asMerchant(account.test, 'GET', '/v1/account');
    return Number(headers.get('ratelimit-remaining'));
  };
  let [spentHere, spentThere] = [0, 0];
  // Once the replica knows of the second round, this gateway has long had its own message about the first.
  for (let round = 1; round <= 2; round++) {
    await Promise.all(Array.from({ length: perRound }, () => remainingAt(gateway)));
    spentHere += perRound;
    await eventually(async () => {
      spentThere += 1;
      expect(burst - (await remainingAt(replica)) - spentThere).toBeGreaterThan(spentHere - perRound / 2);
    });
  }
  spentHere += 1;
  expect(burst - (await remainingAt(gateway))).toBeLessThanOrEqual(spentHere + spentThere);
});

test('an address that asks for payment pages without end is 429 with Retry-After; merchants behind it are not', async () => {
  const account = await gateway.newAccount();
  const open = () => fetch(`${gateway.baseUrl}/pay/dep_01k9z3m4v6t8x0a2c4e6g8jk02/guessed`);
  const answers: Response[] = [];
  await eventually(async () => {
    answers.push(...(await Promise.all(Array.from({ length: 100 }, open))));
    expect(answers.some(({ status }) => status === 429)).toBe(true);
  });
  expect(answers.slice(0, 50).map(({ status }) => status)).not.toContain(429);
  const refused = answers.find(({ status }) => status === 429);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(refused?.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect((await gateway.asMerchant(account.test, 'GET', '/v1/account')).status).toBe(200);
});

test('two gateways called at once give a key its burst once each at most, then neither until it is paid back', async () => {
  const replica = await gateway.startReplica();
  const burst = 20;
  const account = await gateway.newAccount({ rate_limit: { per_second: 1, burst } });
  const read = (from: Pick<GatewayUnderTest, 'asMerchant'>) => from.asMerchant(account.test, 'GET', '/v1/account');
  const startedAt = performance.now();
  const both = [gateway, replica];
  const answers = await Promise.all(both.flatMap((each) => Array.from({ length: 2 * burst }, () => read(each))));
  const passed = answers.filter(({ status }) => status === 200).length;
  expect(passed).toBeGreaterThanOrEqual(burst);
  expect(passed).toBeLessThanOrEqual(2 * burst + (performance.now() - startedAt) / 1_000);
  for (const each of both) {
    await eventually(async () => {
      const { status, headers } = await read(each);
      // More than a whole burst is missing: what passed at the other is owed here.
      const owed = Number(headers.get('ratelimit-reset')) + (performance.now() - startedAt) / 1_000;
      expect([status, owed > passed - 1]).toEqual([429, true]);
    });
  }
});
