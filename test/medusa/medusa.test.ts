import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { freePort } from '@gateway/test-kit';
import { newMerchant } from '../sdk/new-merchant.ts';
import { ShopProject, type Outcomes } from './shop-project.ts';

/** Where Medusa is not installed yet, the first run takes as long as the registry does. */
const wholeTimeoutMs = 20 * 60_000;

const guarantees = [
  'amounts are cents without a float between, rounded half up, and what cannot be charged is refused',
  'the session shows the code of a charge of the cart’s amount',
  'a webhook before the storefront completes places one order, captured',
  'an order that is placed before it is paid is captured once by the webhook',
  'the webhook twice, and the storefront at the same time: one order, captured once',
  'a payment whose webhook never comes is settled by the job, once',
  'an expired charge places no order that is paid, and another session is paid in its place',
  'a payment after the charge has expired is captured for the order that waits',
  'refunds in parts go back once each, also one whose answer was lost',
  'a session whose charge is paid is not given up for another one',
  'a payment of another shop with the same account settles nothing here',
  'another amount of the cart is another charge, and the one before it can no longer be paid',
  'a webhook that is not signed by the gateway changes nothing',
];

let stack: Stack;
let outcomes: Outcomes;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  const [shop, started, port] = await Promise.all([
    ShopProject.install(),
    startStack({ home: home.path, durable: false, quiet: true }),
    freePort(),
  ]);
  stack = started;
  stopping.use(stack);
  const merchant = await newMerchant(stack);
  const url = `http://localhost:${String(port)}/hooks/payment/gateway_gateway`;
  const webhook = (await merchant.plain.call('POST', '/v1/webhooks', { name: 'shop', url })).body;
  outcomes = await shop.run({
    GATEWAY_BASE_URL: merchant.baseUrl,
    GATEWAY_API_KEY: merchant.publicKey,
    GATEWAY_API_SECRET: merchant.secretKey,
    GATEWAY_WEBHOOK_ID: webhook.id,
    GATEWAY_WEBHOOK_SECRET: webhook.secret,
    SHOP_PORT: String(port),
    ...databaseOf(process.env.TEST_DATABASE_URL ?? ''),
  });
}, wholeTimeoutMs);
afterAll(async () => stopping.disposeAsync());

/** The server of the tests, where the shop makes a database of its own. */
function databaseOf(url: string): Record<string, string> {
  const { port, username, password } = new URL(url);
  return { DB_HOST: 'localhost', DB_PORT: port, DB_USERNAME: username, DB_PASSWORD: decodeURIComponent(password) };
}

test.each(guarantees)('in a Medusa shop: %s', (guarantee) => {
  expect(outcomes[guarantee]).toBe('passed');
});

test('every test of the shop is one of these', () => {
  expect(Object.keys(outcomes).sort()).toEqual([...guarantees].sort());
});
