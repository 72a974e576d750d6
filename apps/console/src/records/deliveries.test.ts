import { expect, test } from 'vitest';
import type { DeliveryAttempt } from '#src/generated/types.gen.ts';
import { answerOf, timingOf } from '#src/records/deliveries.ts';

test('an answer is its status, or why there was none, or both where each says something of its own', () => {
  expect(answerOf({ response_status: 503, error: 'http_5xx' })).toBe('503');
  expect(answerOf({ response_status: 200, error: null })).toBe('200');
  expect(answerOf({ response_status: null, error: 'timeout' })).toBe('timeout');
  expect(answerOf({ response_status: 500, error: 'status' })).toBe('500 · status');
  expect(answerOf({ response_status: null, error: null })).toBe('–');
});

test('the time of an attempt has its parts, without those that a connection that was there already did not take', () => {
  const reused = { latency_ms: 12, dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: 11 } as DeliveryAttempt;
  expect(timingOf(reused)).toBe('12 ms (first byte 11)');
  const fresh = { ...reused, dns_ms: 1, connect_ms: 2, tls_ms: 3 };
  expect(timingOf(fresh)).toBe('12 ms (dns 1 · tcp 2 · tls 3 · first byte 11)');
});
