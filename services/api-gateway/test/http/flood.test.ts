import { afterAll, beforeAll, expect, test } from 'vitest';
import { getBalance } from '@gateway/contracts/ledger';
import { answering } from '@gateway/messaging';
import { openRates } from '#src/limits/open-limits.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;
beforeAll(async () => {
  const balances = answering(getBalance, async () => ({ balances: [] }));
  gateway = await startGateway([balances], { TRUSTED_PROXIES: '127.0.0.1' });
  account = await gateway.newAccount();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

/** More than any burst that an address has. */
const callsOfFlood = Math.max(...Object.values(openRates).map(({ burst }) => burst)) + 100;

test.each([
  ['/openapi.json', '203.0.113.1'],
  ['/postman.json', '203.0.113.10'],
  ['/docs', '203.0.113.2'],
  ['/docs/errors', '203.0.113.3'],
  ['/health', '203.0.113.4'],
  ['/no-such-path', '203.0.113.5'],
  ['/v1/balance', '203.0.113.6'],
  ['/pay/dep_x/token', '203.0.113.7'],
  ['/v1/deposits/dep_x/qr.svg?token=x', '203.0.113.8'],
  ['/providers/nobody/notifications', '203.0.113.9'],
])('a flood of %s is 429, and a key that was used passes from the same address', async (path, address) => {
  const headers = { 'x-forwarded-for': address };
  const balance = async () => (await gateway.asMerchant(account.test, 'GET', '/v1/balance', { headers })).status;
  expect(await balance()).toBe(200);
  const method = path.startsWith('/providers') ? 'POST' : 'GET';
  const answers = await Promise.all(
    Array.from({ length: callsOfFlood }, () => gateway.call(method, path, { headers })),
  );
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited.length).toBeGreaterThan(0);
  expect(limited[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await balance()).toBe(200);
});
