import type { Charge } from '#src/account/charge.ts';
import type { ReceivedPayment } from '#src/account/received-payment.ts';
import type { Refund } from '#src/account/refund.ts';
import type { Transfer } from '#src/account/transfer.ts';
import { payerClabe } from '#src/fintoc/bank.ts';

const mode = 'test';
const bank = { id: 'mx_banco_simulado', country: 'mx', name: 'BANCO SIMULADO' };

/** Members and values of "Transfer object" and "Account Number object" (docs.fintoc.com, version 2026-02-01). */
export function presentAccountNumber({ id, details, location, status, createdAt }: Charge): object {
  return {
    id: `acno_${id}`,
    object: 'account_number',
    account_id: details['account_id'],
    created_at: createdAt.toISOString(),
    deleted_at: null,
    description: details['description'] ?? null,
    is_root: false,
    last_transfer_at: null,
    metadata: details['metadata'] ?? {},
    mode,
    number: location,
    options: { max_amount: null, min_amount: null },
    status: status.startsWith('REMOVED') ? 'disabled' : 'enabled',
    updated_at: createdAt.toISOString(),
  };
}

/** A payment on an account number. */
export function presentInbound({ id, e2eId, amount, payer, paidAt }: ReceivedPayment, charge: Charge): object {
  return {
    id: `tr_in${id}`,
    ...shared({ amount, at: paidAt, status: 'succeeded', trackingKey: e2eId }),
    direction: 'inbound',
    account_number: {
      id: `acno_${charge.id}`,
      object: 'account_number',
      account_id: charge.details['account_id'],
      created_at: charge.createdAt.toISOString(),
      description: charge.details['description'] ?? null,
      metadata: charge.details['metadata'] ?? {},
      mode,
      number: charge.location,
    },
    counterparty: {
      account_number: payerClabe(id),
      account_type: 'clabe',
      email: null,
      holder_id: payer.document,
      holder_name: payer.name,
      institution: bank,
    },
    metadata: {},
  };
}

/** A transfer that was ordered, as it is once so much of it has come back. */
export function presentOutbound(transfer: Transfer, returned: number): object {
  const { id, amount, e2eId, status, failureCode, destinationKey, details, requestedAt, settledAt } = transfer;
  const isReturned = status === 'PAID' && returned >= amount;
  return {
    id: `tr_out${id}`,
    ...shared({
      amount,
      at: settledAt ?? requestedAt,
      status: isReturned ? 'returned' : statuses[status],
      trackingKey: e2eId,
    }),
    ...outbound(destinationKey, details),
    return_reason: failureCode !== null || isReturned ? 'non_existing_account' : null,
  };
}

/** A transfer to a payer, which the bank keeps as money that goes back. */
export function presentRefund(refund: Refund, clabe: string): object {
  const { id, amount, returnId, status, description, requestedAt, settledAt } = refund;
  return {
    id: `tr_back${id}`,
    ...shared({ amount, at: settledAt ?? requestedAt, status: refundStatuses[status], trackingKey: returnId }),
    ...outbound(clabe, JSON.parse(description ?? '{}') as Transfer['details']),
    return_reason: status === 'FAILED' ? 'insufficient_funds' : null,
  };
}

const statuses = { CREATED: 'pending', PROCESSING: 'pending', PAID: 'succeeded', FAILED: 'failed' } as const;
const refundStatuses = { PROCESSING: 'pending', DONE: 'succeeded', FAILED: 'failed' } as const;

function outbound(clabe: string, details: Readonly<Record<string, unknown>>): object {
  const { comment = null, metadata = {}, holder_id: holderId = null, holder_name: holderName = null } = details;
  return {
    direction: 'outbound',
    comment,
    account_number: null,
    counterparty: {
      account_number: clabe,
      account_type: 'clabe',
      email: null,
      holder_id: holderId,
      holder_name: holderName,
      institution: bank,
    },
    metadata,
  };
}

interface SharedFacts {
  readonly amount: number;
  readonly at: Date;
  readonly status: string;
  readonly trackingKey: string;
}

function shared({ amount, at, status, trackingKey }: SharedFacts) {
  return {
    object: 'transfer',
    amount,
    comment: null,
    currency: 'MXN',
    mode,
    post_date: at.toISOString(),
    receipt_url: null,
    reference_id: null,
    return_reason: null,
    status,
    tracking_key: trackingKey,
    transaction_date: at.toISOString(),
  };
}
