import { expect, test } from 'vitest';
import { orderFor } from '#src/treasury/record-order.ts';

test.each([
  ['a price below its tick', { ask: '0.001' }],
  ['no tick', { tickSize: '0' }],
  ['a fee of half of what is bought', { takerFee: '0.5' }],
  ['a negative fee', { takerFee: '-0.01' }],
])('nothing is ordered in a market with %s', (_case, odd) => {
  const market = { amountMin: '5', valueMin: '100', ask: '5.387', tickSize: '0.01', takerFee: '0.0065' };
  expect(orderFor(1_000_000, { ...market, ...odd }, 100)).toBeNull();
});

test('an order covers what is owed after the fee, keeps to its price and takes at least what the market takes', () => {
  const market = { amountMin: '5', valueMin: '100', ask: '5.387', tickSize: '0.01', takerFee: '0.0065' };
  expect(orderFor(1_000_000, market, 100)).toEqual({ amount: '10065.43', priceMax: '5.44' });
  expect(Number(orderFor(1, market, 100)?.amount) * 5.44).toBeGreaterThanOrEqual(100);
});
