import { expect, test } from 'vitest';
import { besideByPrefix } from '#src/records/beside-by-prefix.tsx';

const Show = () => null;
const beside = besideByPrefix({ rfd: { list: '/refunds', Show }, 'receipt.rfd': { list: '/orphan-receipts', Show } });

test('two kinds of record that share a prefix lead to pages of their own, and what has no page opens nothing', () => {
  expect(beside('rfd_1')?.address).toBe('/refunds/rfd_1');
  expect(beside('receipt.rfd_1')?.address).toBe('/orphan-receipts/rfd_1');
  expect(['adj_1', 'rfd', '', 'toString_1'].map(beside)).toEqual([undefined, undefined, undefined, undefined]);
});
