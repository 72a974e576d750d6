import type { Charge } from '#src/account/charge.ts';
import type { ReceivedPayment } from '#src/account/received-payment.ts';
import type { Refund } from '#src/account/refund.ts';
import type { Transfer, TransferReturn } from '#src/account/transfer.ts';

const beneficiary = 'PSP SIMULATOR';
const payerBank = 'BANCO SIMULADO';
const currency = 'MXN';

const transferStatuses = {
  CREATED: 'PROCESSING',
  PROCESSING: 'PROCESSING',
  PAID: 'SETTLED',
  FAILED: 'FAILED',
} as const;
const refundStatuses = { PROCESSING: 'PROCESSING', DONE: 'SETTLED', FAILED: 'FAILED' } as const;

export function presentCharge(charge: Charge, payments: readonly ReceivedPayment[], now: Date): object {
  const expiresAt = new Date(charge.createdAt.getTime() + charge.expiresInSec * 1_000);
  return {
    id: `chg_${charge.id}`,
    reference: charge.reference,
    amount: charge.amount,
    currency: charge.currency,
    clabe: charge.location,
    beneficiary,
    status: statusAt(charge, expiresAt, now),
    created_at: charge.createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
    payments: payments.map((payment) => presentPayment(payment, charge.reference)),
  };
}

function statusAt({ status }: Charge, expiresAt: Date, now: Date): string {
  if (status === 'COMPLETED') return 'COMPLETED';
  if (status !== 'ACTIVE') return 'CANCELED';
  return now < expiresAt ? 'PENDING' : 'EXPIRED';
}

export function presentPayment({ e2eId, amount, paidAt, payer }: ReceivedPayment, chargeReference: string): object {
  return {
    tracking_key: e2eId,
    charge_reference: chargeReference,
    amount,
    currency,
    paid_at: paidAt.toISOString(),
    payer: { ...payer, bank: payerBank },
  };
}

export function presentTransfer(transfer: Transfer): object {
  const { reference, e2eId, amount, destinationKey: clabe, status, failureCode, settledAt } = transfer;
  return {
    reference,
    tracking_key: e2eId,
    amount,
    currency,
    clabe,
    status: transferStatuses[status],
    settled_at: settledAt?.toISOString() ?? null,
    failure: failureCode === null ? null : { code: 'ACCOUNT_NOT_FOUND', message: 'Cuenta inexistente' },
  };
}

export function presentRefund({ reference, returnId, amount, status, failure }: Refund): object {
  return {
    reference,
    return_key: returnId,
    amount,
    currency,
    status: refundStatuses[status],
    failure: failure === null ? null : { code: 'INSUFFICIENT_BALANCE', message: failure },
  };
}

/** A part of a transfer that the beneficiary's bank sent back. */
export function presentReturn(transferReference: string, { returnId, amount, returnedAt }: TransferReturn): object {
  return {
    transfer_reference: transferReference,
    return_key: returnId,
    amount,
    currency,
    returned_at: returnedAt.toISOString(),
  };
}
