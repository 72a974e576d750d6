import { expect, test } from 'vitest';
import { addressRange } from '#src/attempts/begin-attempt.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0DB8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('attempts from %s count for %s', (address, range) => expect(addressRange(address)).toBe(range));
