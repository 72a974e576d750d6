import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equalDigests } from '#src/secrets/equal-digests.ts';

const digests = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

test('a digest equals its copy, which is another object', () => {
  fc.assert(fc.property(digests, (digest) => equalDigests(digest, Buffer.from(digest))));
});

test('one bit anywhere makes two digests differ', () => {
  fc.assert(
    fc.property(digests, fc.nat(255), (digest, bit) => {
      const other = Buffer.from(digest);
      other[bit >> 3]! ^= 1 << (bit & 7);
      expect(equalDigests(digest, other)).toBe(false);
    }),
  );
});

test('digests of different lengths differ, and nothing is thrown', () => {
  const digest = randomBytes(32);
  for (const other of [Buffer.alloc(0), digest.subarray(0, 31), Buffer.concat([digest, Buffer.alloc(1)])]) {
    expect([equalDigests(digest, other), equalDigests(other, digest)]).toEqual([false, false]);
  }
});
