import { encodeDynamicBrCode, newClabe } from '@gateway/pix';
import type { Charge, ChargeInput } from '#src/charges.ts';
import { railOf } from '#src/money.ts';
import { referenceDigest } from '#src/sandbox/identifiers.ts';

/**
 * A charge that looks real and cannot be paid. PIX: a valid dynamic code whose location is on `.invalid` (RFC 2606), which
 * no payer's application can resolve, and without any key. SPEI: a CLABE with a right control digit at bank 000, which
 * does not exist. Both depend on the reference alone, so a retry gives the same.
 */
export function sandboxCharge(input: ChargeInput): Charge {
  const facts = {
    providerRef: input.ref,
    expiresAt: new Date(input.createdAt.getTime() + input.expiresInSec * 1000),
  };
  switch (railOf[input.money.currency]) {
    case 'PIX':
      return { rail: 'PIX', ...facts, txid: input.ref, emv: unpayableEmv(input) };
    case 'SPEI':
      return { rail: 'SPEI', ...facts, clabe: unpayableClabe(input.ref) };
  }
}

function unpayableEmv({ ref, money }: ChargeInput): string {
  return encodeDynamicBrCode({
    location: `pix.sandbox.invalid/qr/v2/${referenceDigest(ref).toString('hex').slice(0, 32)}`,
    merchantName: 'TEST MODE NAO PAGAR',
    merchantCity: 'SANDBOX',
    amountCents: money.amount,
  });
}

function unpayableClabe(ref: string): string {
  const account = referenceDigest(ref).readUIntBE(0, 6) % 100_000_000_000;
  return newClabe({ bankCode: '000', cityCode: '000', account: String(account).padStart(11, '0') });
}
