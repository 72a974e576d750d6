import { hash } from 'node:crypto';
import { railOf, type PaymentMethod, type RailCurrency } from '@gateway/money';
import { encodeDynamicBrCode, newClabe, newEndToEndId, newReturnId } from '@gateway/pix';
import type { AccountCharge, Charge, ChargeInput, ChargePayer, CodeCharge, PayerDetails } from '#src/charges.ts';

/** ISPB no participant has; the directory's own documentation uses 99999… for fictional banks. */
export const sandboxIspb = '99999999';

/** How test mode plays a rail. Everything follows from the record and the time alone, so that a retry repeats itself. */
interface SimulatedRail {
  /** What looks real and cannot be paid. */
  readonly charge: (
    input: ChargeInput,
  ) => Omit<CodeCharge, 'providerRef' | 'expiresAt'> | Omit<AccountCharge, 'providerRef' | 'expiresAt'>;
  /** @param sequence which of several payments of one reference it is, from 0 */
  readonly paymentId: (ref: string, at: Date, sequence: number) => string;
  readonly returnId: (ref: string, at: Date) => string;
  /** Who pays where the charge names no payer, at a bank that does not exist. */
  readonly payer: PayerDetails & { readonly name: string; readonly document: string };
}

const simulatedRails: Readonly<Record<PaymentMethod, SimulatedRail>> = {
  PIX: {
    charge: ({ ref, money }) => ({ kind: 'code', txid: ref, emv: unpayableEmv(ref, money.amount) }),
    paymentId: (ref, at) => newEndToEndId({ ispb: sandboxIspb, at, random: digestOf(ref) }),
    returnId: (ref, at) => newReturnId({ ispb: sandboxIspb, at, random: digestOf(ref) }),
    // The valid CPF that the documentation uses.
    payer: { name: 'PAGADOR DE TESTE', document: '52998224725', bank: 'BANCO SANDBOX', ispb: sandboxIspb },
  },
  SPEI: {
    charge: ({ ref }) => ({ kind: 'account', account: unpayableClabe(ref), beneficiary: 'SANDBOX NO PAGAR' }),
    // A tracking key of 29 characters, the longest the rail takes.
    paymentId: (ref, _at, sequence) =>
      (sequence === 0 ? `SBX${ref}` : `S${sequence.toString(36).padStart(2, '0')}${ref}`).toUpperCase(),
    // The rail has no ids of returns: a tracking key that cannot be a payment's.
    returnId: (ref) => `SBR${ref.toUpperCase()}`,
    // The RFC that Mexico's SAT keeps for the general public.
    payer: { name: 'PAGADOR DE PRUEBA', document: 'XAXX010101000', bank: 'BANCO SANDBOX' },
  },
};

export function sandboxCharge(input: ChargeInput): Charge {
  return {
    ...simulatedRails[railOf(input.money.currency)].charge(input),
    providerRef: input.ref,
    expiresAt: new Date(input.createdAt.getTime() + input.expiresInSec * 1000),
  };
}

/** A valid dynamic code without any key, at a location on `.invalid` (RFC 2606), which no application can resolve. */
function unpayableEmv(ref: string, amountCents: number): string {
  return encodeDynamicBrCode({
    location: `pix.sandbox.invalid/qr/v2/${digestOf(ref).toString('hex').slice(0, 32)}`,
    merchantName: 'TEST MODE NAO PAGAR',
    merchantCity: 'SANDBOX',
    amountCents,
  });
}

/** A CLABE with a right control digit at bank 000, which does not exist. */
function unpayableClabe(ref: string): string {
  const account = digestOf(ref).readUIntBE(0, 6) % 100_000_000_000;
  return newClabe({ bankCode: '000', cityCode: '000', account: String(account).padStart(11, '0') });
}

/** The rail's id of a payment of test mode, in the form the rail has. */
export function sandboxPaymentId(currency: RailCurrency, ref: string, at: Date, sequence = 0): string {
  return simulatedRails[railOf(currency)].paymentId(ref, at, sequence);
}

export function sandboxReturnId(currency: RailCurrency, ref: string, at: Date): string {
  return simulatedRails[railOf(currency)].returnId(ref, at);
}

/** The payer that the charge names, as far as it does. */
export function sandboxPayer(currency: RailCurrency, { name, document }: ChargePayer = {}): PayerDetails {
  const { payer } = simulatedRails[railOf(currency)];
  return { ...payer, name: name ?? payer.name, document: document ?? payer.document };
}

/** SHA-256 of a reference: the only source of variety in the sandbox. */
function digestOf(ref: string): Buffer {
  return hash('sha256', ref, 'buffer');
}
