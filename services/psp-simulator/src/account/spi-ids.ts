import { randomBytes } from 'node:crypto';
import { newEndToEndId, newReturnId } from '@gateway/pix';

const randomBytesOfId = 16;

export function endToEndId(ispb: string, at: Date): string {
  return newEndToEndId({ ispb, at, random: randomBytes(randomBytesOfId) });
}

export function returnId(ispb: string, at: Date): string {
  return newReturnId({ ispb, at, random: randomBytes(randomBytesOfId) });
}
