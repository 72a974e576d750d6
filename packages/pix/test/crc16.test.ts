import { describe, expect, test } from 'vitest';
import { crc16 } from '#src/index.ts';
import vectors, { invalidBrCodes, validBrCodes } from './vectors/vectors.ts';

describe('crc16', () => {
  test('gives the check value of the algorithm', () => {
    expect(crc16(vectors.crc16.check_input)).toBe(vectors.crc16.check_value);
  });

  test.each(validBrCodes)('gives $crc for the $kind code', ({ code, crc }) => {
    expect(crc16(code.slice(0, -4))).toBe(crc);
  });

  test.each(invalidBrCodes)('agrees with the recorded verdict on: $reason', ({ code, crc_matches }) => {
    expect(crc16(code.slice(0, -4)) === code.slice(-4)).toBe(crc_matches);
  });

  test('counts the UTF-8 bytes, not the characters', () => {
    // The value is that of Python's binascii.crc_hqx over the UTF-8 bytes.
    expect(crc16('São')).toBe('C0E4');
  });

  test('keeps leading zeros', () => {
    const sums = Array.from({ length: 400 }, (_, index) => crc16(String(index)));
    expect(sums.every((sum) => /^[0-9A-F]{4}$/.test(sum))).toBe(true);
    expect(sums.some((sum) => sum.startsWith('0'))).toBe(true);
  });
});
