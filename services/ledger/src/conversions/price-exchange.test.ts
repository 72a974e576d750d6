import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencies, type Currency } from '@gateway/money';
import { priceExchange, type ExchangeRequest } from '#src/conversions/price-exchange.ts';
import { fixedRates, noRates, type RateSource } from '#src/rates/rate-source.ts';
import { readRate } from '#src/rates/rate.ts';

const sourceOf = (rate: string): RateSource => ({ rateOf: async () => readRate(rate) });
const sold: ExchangeRequest = { from: 'BRL', to: 'USDT', fixed: 'from', amount: 10_000 };
const wanted: ExchangeRequest = { from: 'BRL', to: 'USDT', fixed: 'to', amount: 1_847 };
const { amountMax } = currencies.BRL;

const refusalOf = (path: string, message: string) =>
  expect.objectContaining({ code: 'VALIDATION_ERROR', details: [{ path, message }] }) as Error;

describe('an exchange', () => {
  test('of a given amount brings its worth, of a wanted amount costs it, at the rate that is shown', async () => {
    const facts = { from: 'BRL', to: 'USDT', rate: '5.41230000' };
    expect(await priceExchange(sourceOf('5.4123'), sold)).toEqual({ ...facts, fromAmount: 10_000, toAmount: 1_847 });
    expect(await priceExchange(sourceOf('5.4123'), wanted)).toEqual({ ...facts, fromAmount: 9_997, toAmount: 1_847 });
  });

  test('is made between the pairs of the interface alone', async () => {
    const names = Object.keys(currencies) as Currency[];
    for (const [from, to] of names.flatMap((one) => names.map((other) => [one, other] as const))) {
      const priced = priceExchange(fixedRates, { ...sold, from, to });
      const wasTheOtherWay = from === 'USDT' && to !== 'USDT';
      if (to === 'USDT' && from !== 'USDT') expect(await priced).toMatchObject({ from, to });
      else
        await expect(priced).rejects.toMatchObject({
          code: 'CURRENCY_NOT_SUPPORTED',
          message: `${from} is not changed into ${to}${wasTheOtherWay ? ': a conversion is not taken back' : ''}`,
        });
    }
  });

  test('is worth at least one unit, and at most as much as an amount may be', async () => {
    expect(await priceExchange(sourceOf('2'), { ...sold, amount: 2 })).toMatchObject({ toAmount: 1 });
    await expect(priceExchange(sourceOf('2'), { ...sold, amount: 1 })).rejects.toThrow(
      refusalOf('amount', 'is worth less than one unit of USDT'),
    );
    expect(await priceExchange(sourceOf('0.5'), { ...sold, amount: amountMax / 2 })).toMatchObject({
      toAmount: amountMax,
    });
    await expect(priceExchange(sourceOf('0.5'), { ...sold, amount: amountMax / 2 + 1 })).rejects.toThrow(
      refusalOf('amount', 'must be worth at most 100000000000 USDT'),
    );
  });

  test('costs at most as much as an amount may be', async () => {
    expect(await priceExchange(sourceOf('2'), { ...wanted, amount: amountMax / 2 })).toMatchObject({
      fromAmount: amountMax,
    });
    await expect(priceExchange(sourceOf('2'), { ...wanted, amount: amountMax / 2 + 1 })).rejects.toThrow(
      refusalOf('target_amount', 'must cost at most 100000000000 BRL'),
    );
  });

  test('there and back is never a gain: what an amount brings costs no more than the amount', async () => {
    const rates = fc.bigInt({ min: 10n ** 6n, max: 10n ** 11n }).map((rate) => ({ rateOf: async () => rate }));
    await fc.assert(
      fc.asyncProperty(rates, fc.integer({ min: 100_000, max: 1_000_000 }), async (source, amount) => {
        const { toAmount } = await priceExchange(source, { ...sold, amount });
        const { fromAmount } = await priceExchange(source, { ...wanted, amount: toAmount });
        expect(fromAmount).toBeLessThanOrEqual(amount);
      }),
    );
  });
});

describe('a source of rates', () => {
  const unavailable = { code: 'SERVICE_UNAVAILABLE', message: 'no rate is available at the moment', retryAfterSec: 5 };

  test('that is fixed has one rate for each pair, and none for another', async () => {
    expect(await fixedRates.rateOf({ from: 'BRL', to: 'USDT' })).toBe(540_000_000n);
    expect(await fixedRates.rateOf({ from: 'MXN', to: 'USDT' })).toBe(1_850_000_000n);
    for (const pair of [
      { from: 'USDT', to: 'USDT' },
      { from: 'USDT', to: 'BRL' },
      { from: 'BRL', to: 'MXN' },
    ] as const) {
      await expect(fixedRates.rateOf(pair)).rejects.toMatchObject(unavailable);
    }
  });

  test('that is not configured converts nothing', async () => {
    await expect(priceExchange(noRates, sold)).rejects.toMatchObject(unavailable);
  });
});
