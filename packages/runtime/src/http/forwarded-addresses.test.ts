import { expect, test } from 'vitest';
import { dropForwardedPorts } from '#src/http/forwarded-addresses.ts';

test.each([
  ['203.0.113.7:4711', '203.0.113.7'],
  ['203.0.113.7', '203.0.113.7'],
  ['198.51.100.1:1, 203.0.113.7:65535,10.0.0.1', '198.51.100.1, 203.0.113.7, 10.0.0.1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  // What is no address stays what it is: no proxy that is trusted wrote it.
  ['unknown:80, 1.2.3.4.5:80, [nonsense]:1', 'unknown:80, 1.2.3.4.5:80, [nonsense]:1'],
])('an address that was forwarded as %s is read as %s', (given, read) => {
  const headers = { 'x-forwarded-for': given };
  dropForwardedPorts(headers);
  expect(headers['x-forwarded-for']).toBe(read);
});
