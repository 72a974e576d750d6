import { parseDocument } from '@gateway/pix';
import type { Charge } from '#src/account/charge.ts';
import type { Payer } from '#src/account/received-payment.ts';

/** What a Woovi charge shows again that no other dialect has. */
export interface WooviChargeDetails {
  readonly transactionID: string;
  readonly comment?: string;
  readonly customer?: {
    readonly name: string;
    readonly taxID?: string;
    readonly email?: string;
    readonly phone?: string;
  };
  readonly additionalInfo?: readonly { key: string; value: string }[];
}

export type WooviChargeStatus = 'ACTIVE' | 'COMPLETED' | 'EXPIRED';

function expiresAt(charge: Charge): Date {
  return new Date(charge.createdAt.getTime() + charge.expiresInSec * 1_000);
}

function statusAt(charge: Charge, now: Date): WooviChargeStatus {
  if (charge.status === 'COMPLETED') return 'COMPLETED';
  return now < expiresAt(charge) ? 'ACTIVE' : 'EXPIRED';
}

/** A charge as Woovi shows it (schema `Charge`). */
export function presentCharge(charge: Charge, now: Date): object {
  const {
    transactionID,
    comment = '',
    customer,
    additionalInfo = [],
  } = charge.details as unknown as WooviChargeDetails;
  const status = statusAt(charge, now);
  const { amount: value, brCode, reference: correlationID } = charge;
  const link = `https://simulator.invalid/pay/${transactionID}`;
  const qrCodeImage = `https://simulator.invalid/openpix/charge/brcode/image/${transactionID}.png`;
  return {
    status,
    ...(customer ? { customer: presentCustomer(customer) } : {}),
    value,
    comment,
    correlationID,
    transactionID,
    identifier: transactionID,
    paymentLinkID: transactionID,
    paymentLinkUrl: link,
    qrCodeImage,
    expiresIn: String(charge.expiresInSec),
    expiresDate: expiresAt(charge).toISOString(),
    createdAt: charge.createdAt.toISOString(),
    updatedAt: now.toISOString(),
    brCode,
    additionalInfo,
    paymentMethods: {
      pix: {
        method: 'PIX_COB',
        transactionID,
        identifier: transactionID,
        additionalInfo,
        fee: 50,
        value,
        status,
        txId: transactionID,
        brCode,
        qrCodeImage,
      },
    },
  };
}

export function presentPayer({ name, document }: Payer): object {
  return presentCustomer({ name, taxID: document });
}

function presentCustomer({ name, taxID, email, phone }: NonNullable<WooviChargeDetails['customer']>): object {
  const parsed = parseDocument(taxID ?? '');
  return {
    name,
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phone }),
    ...(parsed.ok ? { taxID: { taxID, type: `BR:${parsed.kind.toUpperCase()}` } } : {}),
  };
}
