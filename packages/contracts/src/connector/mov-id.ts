import { createHash } from 'node:crypto';
import { decodeTime } from 'ulidx';

const ulidCharacters = 26;
const timeHexDigits = 8;
const hashHexDigits = 16;

/**
 * The connector's second name of a deposit or payout: 24 hex digits in the form of its former ids (seconds, then 64
 * bits). It follows from the record's id alone, so answer and webhook agree, records of the native API have one too,
 * and it can never change or be lost: merchants keep it as their primary key.
 */
export function movIdOf(recordId: string): string {
  const seconds = Math.floor(decodeTime(recordId.slice(-ulidCharacters).toUpperCase()) / 1_000);
  const hash = createHash('sha256').update(recordId).digest('hex').slice(0, hashHexDigits);
  return seconds.toString(16).padStart(timeHexDigits, '0') + hash;
}
