import { expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { AddressLimits } from '#src/limits/address-limits.ts';

const limit = { perSecond: 2, burst: 3 };

function passes(limits: AddressLimits, address: string, now: number): boolean {
  try {
    limits.spend(address, now);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSec: 1 });
    expect(error).toBeInstanceOf(DomainError);
    return false;
  }
}

test('an address gets its burst and then its rate, and no other address pays for it', () => {
  const limits = new AddressLimits(limit);
  expect([0, 0, 0, 0].map((now) => passes(limits, '192.0.2.1', now))).toEqual([true, true, true, false]);
  expect(passes(limits, '192.0.2.2', 0)).toBe(true);
  expect([500, 500, 1_000].map((now) => passes(limits, '192.0.2.1', now))).toEqual([true, false, true]);
});

test('the addresses of one IPv6 network are one caller, and a mapped IPv4 address is that address', () => {
  const limits = new AddressLimits(limit);
  const network = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8::4'];
  expect(network.map((address) => passes(limits, address, 0))).toEqual([true, true, true, false]);
  expect(passes(limits, '2001:db8:0:1::1', 0)).toBe(true);
  const mapped = ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '::ffff:192.0.2.1'];
  expect(mapped.map((address) => passes(limits, address, 0))).toEqual([true, true, true, false]);
});

test('of more addresses than are remembered, the one that was silent for longest begins anew', () => {
  const limits = new AddressLimits({ perSecond: 0.001, burst: 1 });
  const addresses = Array.from({ length: 10_001 }, (_, index) => `10.1.${index >> 8}.${index & 255}`);
  for (const address of addresses) limits.spend(address, 0);
  expect(() => limits.spend(addresses[1] ?? '', 0)).toThrow(DomainError);
  expect(() => limits.spend(addresses[0] ?? '', 0)).not.toThrow();
});
