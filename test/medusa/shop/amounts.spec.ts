import { BigNumber } from '@medusajs/framework/utils';
import { centsOf, reaisOf } from '@gateway/medusa/.medusa/server/src/providers/gateway/cents.js';

test('amounts are cents without a float between, rounded half up, and what cannot be charged is refused', () => {
  const amounts = [
    [0.01, 1],
    [19.99, 1_999],
    [1.005, 101],
    ['33.334999', 3_333],
    [{ value: '1234567.895' }, 123_456_790],
    [new BigNumber('99999999.99'), 9_999_999_999],
  ] as const;
  for (const [amount, cents] of amounts) expect(centsOf(amount as never)).toBe(cents);
  for (const amount of [0, -1, '0.004', '100000000']) expect(() => centsOf(amount)).toThrow('cannot be charged');
  expect(() => centsOf(1, 'usd')).toThrow('PIX is in BRL');
  for (const cents of [1, 10, 105, 9_999_999_999]) expect(centsOf(reaisOf(cents))).toBe(cents);
});
