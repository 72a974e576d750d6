import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { connectVenue, venuesConfigSchema, type BuyOrder, type ExchangeVenue } from '@gateway/providers/venues';
import { runSimulator, type RunningSimulator } from './running-simulator.ts';

let simulator: RunningSimulator;
let venue: ExchangeVenue;
const connect = (overrides: object = {}) => {
  const [config] = venuesConfigSchema.parse([
    {
      ...{ kind: 'bitso', id: 'bitso', baseUrl: `${simulator.url}/bitso`, currencies: ['BRL', 'MXN'] },
      ...{ apiKey: 'simulator', apiSecret: 'simulator-bitso-secret', callTimeoutMs: 1_000, ...overrides },
    },
  ]);
  if (!config) throw new Error('no configuration');
  return connectVenue(config, { now: () => new Date() });
};

beforeAll(async () => {
  simulator = await runSimulator();
  venue = connect();
});
afterAll(async () => {
  await venue[Symbol.asyncDispose]();
  await simulator[Symbol.asyncDispose]();
});
afterEach(async () => void (await fetch(`${simulator.url}/control/faults`, { method: 'DELETE' })));

const post = async (path: string, body: object) =>
  await simulator.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const fault = (operation: string, name: string) =>
  post('/control/faults', { dialect: 'bitso', operation, fault: name, times: 1 });
const order = (overrides: Partial<BuyOrder> = {}): BuyOrder => ({
  ...{ clientId: newId('treasuryOrder'), currency: 'BRL', amount: '10.01', priceMax: '5.40' },
  ...overrides,
});
const isAvailable = async () => {
  const { body } = await simulator.call('/control/exchange');
  return Object.fromEntries(
    (body['balances'] as { currency: string; total: string }[]).map(({ currency, total }) => [currency, total]),
  );
};

describe('an order at the exchange', () => {
  test('buys at once, and shows what it bought, spent and paid as a fee, exactly', async () => {
    const before = await isAvailable();
    const wanted = order();
    expect(await venue.placeOrder(wanted)).toMatchObject({ kind: 'placed' });
    // 5.005 at 5.38 and 5.005 at 5.39, and a fee of a thousandth.
    expect(await venue.getOrder(wanted)).toMatchObject({
      status: 'FOUND',
      value: { isOpen: false, bought: '10.01', spent: '53.90385', fee: '0.01001' },
    });
    const after = await isAvailable();
    expect(Number(before['brl']) - Number(after['brl'])).toBeCloseTo(53.90385, 6);
    expect(Number(after['usdt']) - Number(before['usdt'])).toBeCloseTo(9.99999, 8);
  });

  test('buys a part where the market has no more, and nothing above its price', async () => {
    await post('/control/exchange', { book: 'usdt_mxn', offered: '4' });
    const part = order({ currency: 'MXN', amount: '10', priceMax: '18.50' });
    await venue.placeOrder(part);
    expect(await venue.getOrder(part)).toMatchObject({ status: 'FOUND', value: { isOpen: false, bought: '4' } });
    const cheap = order({ currency: 'MXN', amount: '10', priceMax: '18.30' });
    expect(await venue.placeOrder(cheap)).toMatchObject({ kind: 'placed' });
    expect(await venue.getOrder(cheap)).toEqual({ status: 'NOT_FOUND' });
    await post('/control/exchange', { book: 'usdt_mxn', offered: null });
  });

  test.each([
    ['is too small', { amount: '0.05' }, 'amount_limit'],
    ['has a price between two ticks', { priceMax: '5.405' }, 'invalid_request'],
    ['costs more than there is', { amount: '99000000' }, 'provider_balance'],
  ])('is refused for certain when it %s', async (_case, overrides, code) => {
    expect(await venue.placeOrder(order(overrides))).toMatchObject({ kind: 'refused', code });
  });

  test('is refused for certain while the market is closed', async () => {
    await post('/control/exchange', { book: 'usdt_brl', is_open: false });
    expect(await venue.placeOrder(order())).toMatchObject({ kind: 'refused', code: 'provider_restricted' });
    await post('/control/exchange', { book: 'usdt_brl', is_open: true });
  });

  test.each(['timeout_after', 'reset_after', 'error_after', 'nonsense', 'duplicate'])(
    'whose answer is lost (%s) is unknown, and found under its own id',
    async (name) => {
      await fault('place-order', name);
      const wanted = order();
      expect(await venue.placeOrder(wanted)).toMatchObject({ kind: 'unknown' });
      expect(await venue.getOrder(wanted)).toMatchObject({ status: 'FOUND', value: { bought: '10.01' } });
    },
  );

  test.each(['timeout_before', 'reset_before', 'error_before'])(
    'that never arrived (%s) is unknown, and not found',
    async (name) => {
      await fault('place-order', name);
      const wanted = order();
      expect(await venue.placeOrder(wanted)).toMatchObject({ kind: 'unknown' });
      expect(await venue.getOrder(wanted)).toEqual({ status: 'NOT_FOUND' });
    },
  );

  test('under an id that was used before is unknown, and buys nothing more', async () => {
    const wanted = order();
    await venue.placeOrder(wanted);
    expect(await venue.placeOrder(wanted)).toMatchObject({ kind: 'unknown' });
    expect(await venue.getOrder(wanted)).toMatchObject({ status: 'FOUND', value: { bought: '10.01' } });
  });

  test.each([
    ['throttled', 'throttled'],
    ['unauthorized', 'unauthorized'],
  ])('that is %s has certainly not been placed', async (name, reason) => {
    await fault('place-order', name);
    expect(await venue.placeOrder(order())).toMatchObject({ kind: 'not_sent', reason });
  });

  test('with another secret has certainly not been placed', async () => {
    await using other = connect({ apiSecret: 'another-secret' });
    expect(await other.placeOrder(order())).toMatchObject({ kind: 'not_sent', reason: 'unauthorized' });
  });

  test('that cannot be looked up is not an order that was not found', async () => {
    const wanted = order();
    await venue.placeOrder(wanted);
    await fault('get-order', 'error_before');
    expect(await venue.getOrder(wanted)).toMatchObject({ status: 'UNAVAILABLE' });
  });
});

test('the market says what an order must have at least, and what it costs', async () => {
  expect(await venue.market('BRL')).toEqual({
    ok: true,
    market: { amountMin: '0.1', valueMin: '1', ask: '5.38', tickSize: '0.01', takerFee: '0.001' },
  });
});

test('the balances are exact texts of the currencies that are known here', async () => {
  const result = await venue.balances();
  if (!result.ok) throw new Error(result.cause);
  expect(result.balances.map(({ currency }) => currency)).toEqual(['BRL', 'MXN', 'USDT']);
});
