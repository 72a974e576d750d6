import { afterEach, describe, expect, test, vi } from 'vitest';
import { delayMs, retryAfterOf } from '#src/core/retry.ts';

afterEach(() => vi.restoreAllMocks());

describe('the wait before a repetition', () => {
  test.each([
    [1, 500],
    [2, 1_000],
    [3, 2_000],
    [5, 8_000],
    [9, 8_000],
  ])('%i is anything up to its bound, which doubles up to eight seconds', (attempt, boundMs) => {
    const random = vi.spyOn(Math, 'random');
    for (const share of [0, 0.25, 0.999]) {
      random.mockReturnValue(share);
      expect(delayMs(attempt, 500, undefined)).toBe(share * boundMs);
    }
  });

  test('is at least what the gateway asks for, and half a second more at most', () => {
    const random = vi.spyOn(Math, 'random');
    for (const share of [0, 0.5, 0.999]) {
      random.mockReturnValue(share);
      const waitMs = delayMs(4, 500, 2);
      expect(waitMs).toBeGreaterThanOrEqual(2_000);
      expect(waitMs).toBeLessThanOrEqual(2_500);
    }
  });

  test.each([
    ['2', 2],
    ['0.5', 0.5],
    ['-3', 0],
    ['Wed, 21 Oct 2026 07:28:05 GMT', 5],
    ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ])('is read from Retry-After: %s', (header, seconds) => {
    expect(retryAfterOf(header, Date.parse('2026-10-21T07:28:00Z'))).toBe(seconds);
  });
});
