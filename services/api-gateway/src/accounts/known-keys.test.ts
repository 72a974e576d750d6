import { expect, test } from 'vitest';
import { KnownKeys } from '#src/accounts/known-keys.ts';
import type { KnownKey } from '#src/accounts/load-key.ts';

/** What a revocation may take (api.md 5). */
const revocationMs = 1_000;
const publicKey = 'pk_test_0123456789abcdef0123456789abcdef';
const key = {
  caller: { publicKey, account: { id: 'acc_1' } },
  keyVersion: 1,
  accountVersion: 1,
} as unknown as KnownKey;

test('a key that is not confirmed is believed for less than the second a revocation may take', () => {
  const known = new KnownKeys();
  known.add(key, 0);
  expect(known.get(publicKey, 1)).toBe(key);
  expect(known.get(publicKey, revocationMs - 1)).toBeUndefined();
});

test('a key is believed from the last confirmation on, and no longer than its lifetime', () => {
  const known = new KnownKeys();
  known.confirm(0);
  known.add(key, 0);
  for (let now = 400; now < 29_000; now += 400) {
    known.confirm(now);
    expect(known.get(publicKey, now + 399)).toBe(key);
    expect(known.get(publicKey, now + revocationMs - 1)).toBeUndefined();
  }
  known.confirm(30_100);
  expect(known.get(publicKey, 30_101)).toBeUndefined();
});

test('after a silence that may have hidden a change nothing is remembered', () => {
  const known = new KnownKeys();
  known.confirm(0);
  known.add(key, 30_500);
  known.confirm(30_600);
  expect(known.get(publicKey, 30_601)).toBeUndefined();
});

test('what is forgotten by its key or its account is gone at once', () => {
  const known = new KnownKeys();
  known.add(key, 0);
  known.delete(publicKey);
  expect(known.get(publicKey, 1)).toBeUndefined();
  known.add(key, 0);
  known.deleteAccount('acc_1');
  expect(known.get(publicKey, 1)).toBeUndefined();
  known.add(key, 0);
  expect(known.isOlder(publicKey, { keyVersion: 1, accountVersion: 2 })).toBe(true);
  expect(known.isOlder(publicKey, { keyVersion: 1, accountVersion: 1 })).toBe(false);
});

test('that there is no such key is remembered for a moment, and forgotten at once when it is made', () => {
  const known = new KnownKeys();
  known.addMissing(publicKey, 0);
  expect(known.isMissing(publicKey, revocationMs - 101)).toBe(true);
  expect(known.isMissing(publicKey, revocationMs)).toBe(false);
  known.delete(publicKey);
  expect(known.isMissing(publicKey, 1)).toBe(false);
});

test('of more missing keys than are remembered, the first is forgotten', () => {
  const known = new KnownKeys();
  for (let index = 0; index <= 10_000; index += 1) known.addMissing(`pk_test_${index}`, 0);
  expect([known.isMissing('pk_test_0', 1), known.isMissing('pk_test_1', 1)]).toEqual([false, true]);
});

test('a key is known here until it is found revoked, however long ago it was used', () => {
  const known = new KnownKeys();
  known.add(key, 0);
  expect([known.get(publicKey, 3_600_000), known.has(publicKey)]).toEqual([undefined, true]);
  known.addMissing(publicKey, 3_600_000);
  expect(known.has(publicKey)).toBe(false);
});
