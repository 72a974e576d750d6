import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares secrets in a time that does not depend on how much of them is right, lengths included. */
export function equalSecrets(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(expected));
}
