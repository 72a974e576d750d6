import { createHash } from 'node:crypto';
import { newEndToEndId, newReturnId } from '@gateway/pix';
import { railOf, type RailCurrency } from '#src/money.ts';

/** ISPB no participant has; the directory's own documentation uses 99999… for fictional banks. */
export const sandboxIspb = '99999999';

/** SHA-256 of a reference: the only source of variety in the sandbox, so that every retry repeats itself. */
export function referenceDigest(ref: string): Buffer {
  return createHash('sha256').update(ref).digest();
}

/** End-to-end id on PIX; on SPEI a tracking key of 29 characters, the longest the rail takes. */
export function sandboxPaymentId(currency: RailCurrency, ref: string, at: Date, sequence = 0): string {
  switch (railOf[currency]) {
    case 'PIX':
      return newEndToEndId({ ispb: sandboxIspb, at, random: referenceDigest(ref) });
    case 'SPEI':
      if (sequence === 0) return `SBX${ref.toUpperCase()}`;
      return `S${sequence.toString(36).padStart(2, '0')}${ref}`.toUpperCase();
  }
}

/** Return id on PIX; on SPEI, which has none, a tracking key that cannot be a payment's. */
export function sandboxReturnId(currency: RailCurrency, ref: string, at: Date): string {
  switch (railOf[currency]) {
    case 'PIX':
      return newReturnId({ ispb: sandboxIspb, at, random: referenceDigest(ref) });
    case 'SPEI':
      return `SBR${ref.toUpperCase()}`;
  }
}
