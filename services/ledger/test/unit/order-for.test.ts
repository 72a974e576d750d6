import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exact } from '@gateway/providers/venues';
import { orderFor } from '#src/treasury/order-for.ts';

const market = { amountMin: '5', valueMin: '100', ask: '5.387', tickSize: '0.01', takerFee: '0.0065' };
const bounds = { slippageBps: 100, surplusMax: 5_000, lossMaxBps: 500 };
/** Converted at 5.40. */
const position = (owed: number, uncovered = owed) => ({ uncovered, owed, given: Math.ceil(owed * 5.4) });

test.each([
  ['a price below its tick', { ask: '0.001' }, 'implausible'],
  ['no tick', { tickSize: '0' }, 'implausible'],
  ['a fee of half of what is bought', { takerFee: '0.5' }, 'implausible'],
  ['a negative fee', { takerFee: '-0.01' }, 'implausible'],
  ['a least amount far beyond what is owed', { amountMin: '10200' }, 'too_large'],
  ['a least value far beyond what is owed', { valueMin: '60000' }, 'too_large'],
  ['a price that makes its least value a large amount', { ask: '0.05', valueMin: '600' }, 'too_large'],
  ['a price far above what merchants gave', { ask: '5.7' }, 'too_dear'],
  ['a price with a misplaced point', { ask: '53.87' }, 'too_dear'],
])('nothing is ordered in a market with %s', (_case, odd, reason) => {
  expect(orderFor(position(1_000_000), { ...market, ...odd }, bounds)).toMatchObject({ kind: 'held', reason });
});

test('an order covers what is owed after the fee, keeps to its price and takes at least what the market takes', () => {
  const order = { kind: 'order', amount: '10065.43', priceMax: '5.44' };
  expect(orderFor(position(1_000_000), market, bounds)).toEqual(order);
  const least = orderFor(position(100), market, bounds);
  expect(least).toEqual({ kind: 'order', amount: '18.39', priceMax: '5.44' });
});

test('an order pays no more than what merchants gave allows, also where the market may rise further', () => {
  const near = orderFor(position(1_000_000), { ...market, ask: '5.62' }, bounds);
  // 5.40 with five hundredths, less the fee.
  expect(near).toMatchObject({ kind: 'order', priceMax: '5.63' });
});

test('law: whatever a market says, an order buys at most what is owed and the surplus, for at most what was given and the loss', () => {
  const decimal = (max: number) => fc.integer({ min: 0, max: max * 1_000 }).map((mills) => String(mills / 1_000));
  const anyMarket = fc.record({
    ...{ amountMin: decimal(100_000), valueMin: decimal(1_000_000), ask: decimal(1_000) },
    ...{ tickSize: fc.constantFrom('0.01', '0.001', '1'), takerFee: decimal(1) },
  });
  fc.assert(
    fc.property(anyMarket, fc.integer({ min: 1, max: 100_000_000 }), (stated, owed) => {
      const wanted = orderFor(position(owed), stated, bounds);
      if (wanted.kind === 'held') return;
      const [amount, price, fee] = [exact(wanted.amount), exact(wanted.priceMax), exact(stated.takerFee)];
      const one = exact('1');
      const net = (amount * (one - fee)) / one;
      const [cent, most] = [exact('0.01'), BigInt(owed + bounds.surplusMax)];
      expect(net).toBeLessThanOrEqual((most + 1n) * cent);
      expect(amount).toBeGreaterThanOrEqual(exact(stated.amountMin));
      const paidForOne = (price * one) / (one - fee);
      expect(paidForOne * BigInt(owed)).toBeLessThanOrEqual(
        (BigInt(position(owed).given) * one * 10_500n) / 10_000n + BigInt(owed),
      );
    }),
  );
});
