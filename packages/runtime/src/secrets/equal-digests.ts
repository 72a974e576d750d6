import { timingSafeEqual } from 'node:crypto';

/**
 * Whether two digests are the same, without telling by its duration how much of one was right. Secrets are compared as
 * digests, never as they are; the length of a digest is no secret. The lint lets nothing else compare them.
 */
export function equalDigests(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
