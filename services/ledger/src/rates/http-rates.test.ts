import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '@gateway/test-kit';
import { HttpRates } from '#src/rates/http-rates.ts';
import { rateText } from '#src/rates/rate.ts';

const startMs = Date.parse('2026-11-21T12:00:00Z');
let nowMs = startMs;
let asked: string[] = [];
let answer: (response: ServerResponse, book: string) => void;
const server = createServer((request, response) => {
  const book = new URL(request.url ?? '', 'http://source').searchParams.get('book') ?? '';
  asked.push(book);
  answer(response, book);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  [nowMs, asked] = [startMs, []];
  answer = ticker({});
});

const ticker = (payload: object) => (response: ServerResponse, book: string) =>
  response.end(
    JSON.stringify({
      success: true,
      payload: { book, ask: '5.4', created_at: '2026-11-21T12:00:00+00:00', ...payload },
    }),
  );

const newRates = (spreadBps = 0) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/ticker`;
  return new HttpRates({ url, maxAgeMs: 60_000, spreadBps, stepMaxBps: 1_000, now: () => nowMs, logger: silentLogger });
};
const rate = async (rates: HttpRates) => rateText(await rates.rateOf({ from: 'BRL', to: 'USDT' }));

describe('a rate by HTTP', () => {
  test('is what the market asks, and our share', async () => {
    expect(await rate(newRates())).toBe('5.40000000');
    expect(await rate(newRates(50))).toBe('5.42700000');
    expect(asked).toEqual(['usdt_brl', 'usdt_brl']);
  });

  test('is asked for once by many, and again a second later', async () => {
    const rates = newRates();
    await Promise.all([rate(rates), rate(rates), rate(rates)]);
    expect(asked).toHaveLength(1);
    nowMs += 1_000;
    await rate(rates);
    expect(asked).toHaveLength(2);
  });

  test('is used while it is fresh, whatever becomes of the source, and not a moment longer', async () => {
    const rates = newRates();
    await rate(rates);
    answer = (response) => response.writeHead(500).end();
    nowMs += 60_000;
    expect(await rate(rates)).toBe('5.40000000');
    nowMs += 1;
    await expect(rate(rates)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSec: 5 });
  });

  test('is not made fresh by a clock that is ahead of ours', async () => {
    const rates = newRates();
    answer = ticker({ created_at: '2027-01-01T00:00:00+00:00' });
    await rate(rates);
    answer = (response) => response.destroy();
    nowMs += 60_001;
    await expect(rate(rates)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test.each([
    ['5.94', '5.94000000'],
    ['4.86', '4.86000000'],
    ['5.9400001', '5.40000000'],
    ['4.8599999', '5.40000000'],
    ['54', '5.40000000'],
    ['0.54', '5.40000000'],
  ])('that goes from 5.4 to %s at once is then %s', async (ask, shown) => {
    const rates = newRates();
    await rate(rates);
    answer = ticker({ ask });
    nowMs += 1_000;
    expect(await rate(rates)).toBe(shown);
  });

  test('that stays far from what it was is none when that is old, and believed after a quarter of an hour', async () => {
    const rates = newRates();
    await rate(rates);
    const asks = (ms: number) => {
      nowMs = startMs + ms;
      answer = ticker({ ask: '6.5', created_at: new Date(nowMs).toISOString() });
    };
    asks(61_000);
    await expect(rate(rates)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    asks(900_000);
    await expect(rate(rates)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    asks(900_001);
    expect(await rate(rates)).toBe('6.50000000');
  });

  test.each<[string, (response: ServerResponse, book: string) => void]>([
    ['an old rate', ticker({ created_at: '2026-11-21T11:58:59+00:00' })],
    ['no number', ticker({ ask: 'cheap' })],
    ['less than nothing', ticker({ ask: '-5.4' })],
    ['a number that is no text', ticker({ ask: 5.4 })],
    ['no rate', ticker({ ask: undefined })],
    ['no time', ticker({ created_at: undefined })],
    ['no payload', (response) => response.end('{"success":true}')],
    ['that it failed', (response) => response.end('{"success":false,"error":{"code":"0301"}}')],
    ['nothing for money', ticker({ ask: '0.00' })],
    ['a rate without its time', ticker({ created_at: 'now' })],
    ['the rate of another book', ticker({ book: 'btc_brl' })],
    ['no JSON', (response) => response.end('<html>')],
    ['a refusal', (response) => response.writeHead(429).end()],
    ['somewhere else', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ])('is not there when the source answers %s', async (_case, given) => {
    answer = given;
    await expect(rate(newRates())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
