import { expect, test } from 'vitest';
import { writtenFinding } from '#src/reconciliation/write-finding.ts';

const plain = (text: string) => writtenFinding(text, 'en').replaceAll('\u00a0', ' ');

test.each([
  [
    'live acc_01 available BRL: balance 100050, postings -2',
    'live acc_01 available BRL: balance R$1,000.50, postings −R$0.02',
  ],
  ['result 17: postings add up to 3 BRL (led_01)', 'result 17: postings add up to R$0.03 (led_01)'],
  [
    'fx USDT: 1050 is owed by the books, 50 by conversions and orders',
    'fx USDT: 10.50 USDT is owed by the books, 0.50 USDT by conversions and orders',
  ],
  [
    'treasury:v BRL: 7 is booked, 1200 follows from orders',
    'treasury:v BRL: R$0.07 is booked, R$12.00 follows from orders',
  ],
])('the amounts of "%s" are money', (text, written) => {
  expect(plain(text)).toBe(written);
});

test('a difference has its amount as money, and since when as a time', () => {
  const written = plain('efi BRL: the provider holds 450000 less than the books explain, since 2025-12-29T09:20:00Z');
  expect(written).toContain('holds R$4,500.00 less than');
  expect(written).toMatch(/since Dec \d+, 2025, /);
});

test('ids, numbers of entries and amounts of no known currency stay as they are', () => {
  for (const text of ['acc_1 BRL: the numbering breaks at 17', 'dep_1: refunded 300 is remembered, 200 follows'])
    expect(plain(text)).toBe(text);
});
