import { createHash, randomBytes } from 'node:crypto';

const tokenBytes = 32;

/** 256 random bits in base64url. What is stored of it is its digest. */
export function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** SHA-256: 256 random bits need no salt and no slow hash. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function fromHex(digest: string): Buffer {
  return Buffer.from(digest, 'hex');
}
