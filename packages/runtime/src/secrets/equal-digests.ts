import { timingSafeEqual } from 'node:crypto';

/**
 * Compares two digests in constant time: its duration does not depend on how much of one is right. Secrets are compared
 * as digests, never as they are; the length of a digest is no secret. The linter allows no other comparison of secrets.
 */
export function equalDigests(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
