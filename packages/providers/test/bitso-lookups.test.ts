import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectVenue, venuesConfigSchema, type ExchangeVenue } from '@gateway/providers/venues';

const clientId = 'tro_01k9z3m4v6t8x0a2c4e6g8jk03';
let venue: ExchangeVenue;
/** What the exchange answers, by the call. */
let listed: readonly object[] = [];
let traded: readonly object[] = [];
const exchange = createServer((request, response) => {
  const payload = request.url?.startsWith('/v3/orders') ? listed : traded;
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ success: true, payload }));
});

beforeAll(async () => {
  exchange.listen(0, '127.0.0.1');
  await once(exchange, 'listening');
  const { port } = exchange.address() as AddressInfo;
  const where = { kind: 'bitso', id: 'bitso', baseUrl: `http://127.0.0.1:${port}`, currencies: ['BRL'] };
  const [config] = venuesConfigSchema.parse([
    { ...where, apiKey: 'key', apiSecret: 'a-secret-of-tests', callTimeoutMs: 10_000 },
  ]);
  venue = connectVenue(config!, { now: () => new Date() });
});
afterAll(async () => {
  await venue[Symbol.asyncDispose]();
  exchange.closeAllConnections();
  exchange.close();
});

const order = (changes: object) => ({
  oid: 'o1',
  origin_id: clientId,
  book: 'usdt_brl',
  status: 'completed',
  ...changes,
});
const trade = (tid: number, changes: object = {}) => ({
  ...{ book: 'usdt_brl', oid: 'o1', origin_id: clientId, tid, side: 'buy', major: '4', minor: '21.52' },
  ...{ fees_amount: '0.004', fees_currency: 'usdt', ...changes },
});
const found = async () => await venue.getOrder({ clientId, currency: 'BRL' });

describe('an order at Bitso', () => {
  test.each([
    ['all of it is bought', { original_amount: '8', unfilled_amount: '0' }],
    ['a part of it is left', { original_amount: '10', unfilled_amount: '2', status: 'cancelled' }],
  ])('has not come to its end before its trades show what is executed, where %s', async (_case, amounts) => {
    listed = [order(amounts)];
    traded = [trade(1)];
    expect(await found()).toMatchObject({ status: 'UNAVAILABLE' });
    traded = [trade(1), trade(1)];
    expect(await found()).toMatchObject({ status: 'UNAVAILABLE' });
    traded = [trade(1), trade(2)];
    expect(await found()).toMatchObject({ status: 'FOUND', value: { isOpen: false, bought: '8', fee: '0.008' } });
  });

  test('that is not listed any more is what its trades show', async () => {
    [listed, traded] = [[], [trade(1)]];
    expect(await found()).toMatchObject({ status: 'FOUND', value: { bought: '4', spent: '21.52' } });
  });

  test.each([
    ['an id', { oid: 'o\0' }],
    ['a currency of a fee', { fees_currency: 'b'.repeat(1_000) }],
  ])('is looked up again where %s cannot be kept', async (_case, odd) => {
    [listed, traded] = [[], [trade(1, odd)]];
    expect(await found()).toMatchObject({ status: 'UNAVAILABLE' });
  });

  test('has bought what it bought whatever a fee in a third currency was, which is named', async () => {
    listed = [];
    traded = [
      trade(1, { fees_amount: '-1.5', fees_currency: 'bto' }),
      trade(2, { fees_amount: '0.02', fees_currency: 'brl' }),
      trade(3, { fees_amount: '0.004', fees_currency: 'USDT' }),
    ];
    expect(await found()).toEqual({
      status: 'FOUND',
      value: {
        ...{ isOpen: false, venueOrderId: 'o1', bought: '12', spent: '64.58', fee: '0.004', otherFee: '1.5 bto' },
      },
    });
  });
});
