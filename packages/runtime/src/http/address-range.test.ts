import { BlockList } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains, formatRange, isWithin, networkOf, parseAddress, parseRange } from '#src/http/address-range.ts';

const normalised = (text: string) => {
  const range = parseRange(text);
  return range && formatRange(range);
};

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7/32', '203.0.113.7'],
  ['203.0.113.7/24', '203.0.113.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['2001:db8::1/128', '2001:db8::1'],
  ['2001:db8:ffff::1/32', '2001:db8::/32'],
  ['::', '::'],
  ['::/0', '::/0'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:CB00:7107', '203.0.113.7'],
  ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
  ['::ffff:0:0/96', '0.0.0.0/0'],
  ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
])('%s is kept as %s', (written, kept) => {
  expect(normalised(written)).toBe(kept);
});

test.each([
  ...['', ' ', 'localhost', '203.0.113', '203.0.113.256', '203.0.113.07', '203.0.113.7 ', '203.0.113.7/33'],
  ...['203.0.113.7/', '203.0.113.7/-1', '203.0.113.7/024', '203.0.113.7/8/8', '0x7f.1', '1', '2001:db8::/129'],
  ...['2001:db8::1::2', 'fe80::1%eth0', '[::1]', '203.0.113.7:80', '::ffff:203.0.113.256', '2001:db8::g'],
])('"%s" is no address and no range', (text) => {
  expect(parseRange(text)).toBeUndefined();
});

test('writing a range down and reading it again changes nothing', () => {
  const texts = fc.oneof(
    fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
    fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
  );
  fc.assert(
    fc.property(texts, ([address, prefix]) => {
      const once = normalised(`${address}/${prefix}`)!;
      expect(normalised(once)).toBe(once);
    }),
  );
});

test("an address is in a range exactly when Node's own list says so", () => {
  const prefixes = fc.integer({ min: 0, max: 32 });
  fc.assert(
    fc.property(fc.ipV4(), prefixes, fc.ipV4(), (base, prefix, address) => {
      const list = new BlockList();
      list.addSubnet(base, prefix, 'ipv4');
      expect(contains(parseRange(`${base}/${prefix}`)!, parseAddress(address)!)).toBe(list.check(address, 'ipv4'));
    }),
  );
});

test('a caller whose address comes mapped into IPv6 is the IPv4 caller', () => {
  expect(contains(parseRange('203.0.113.0/24')!, parseAddress('::ffff:203.0.113.9')!)).toBe(true);
  expect(contains(parseRange('::ffff:203.0.113.0/120')!, parseAddress('203.0.113.9')!)).toBe(true);
  expect(contains(parseRange('::/0')!, parseAddress('203.0.113.9')!)).toBe(false);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0DB8::1', '2001:db8::/64'],
  ['::1', '::/64'],
  ['no address', 'no address'],
])('callers from %s count for %s', (address, network) => expect(networkOf(address)).toBe(network));

test('an address is within a list by any of its ranges, and what is no address within none', () => {
  const ranges = ['203.0.113.0/24', '2001:db8::/32'];
  expect(['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::9'].map((each) => isWithin(ranges, each))).toEqual([
    true,
    true,
    true,
  ]);
  expect(['203.0.114.9', '2001:db9::9', 'no address'].map((each) => isWithin(ranges, each))).toEqual([
    false,
    false,
    false,
  ]);
});
