import { hash } from 'node:crypto';

/** What is stored and sent of an API key's secret: 256 random bits need no salt and no slow hash. */
export function secretDigestOf(secretKey: string): Buffer {
  return hash('sha256', secretKey, 'buffer');
}
