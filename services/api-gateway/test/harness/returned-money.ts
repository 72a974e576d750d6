import type { OperatorDispute, OperatorRefund, OrphanReceipt } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';

/** A refund as operators see it. */
export function operatorRefundOf(members: Partial<OperatorRefund>): OperatorRefund {
  return {
    id: newId('refund'),
    environment: 'live',
    accountId: newId('account'),
    depositId: newId('deposit'),
    externalId: newId('request'),
    status: 'DONE',
    currency: 'BRL',
    amount: 500,
    reason: null,
    returnId: null,
    failureReason: null,
    failureMessage: null,
    createdAt: 1_767_000_000,
    finishedAt: null,
    provider: 'efi',
    reference: '01k9z3m4v6t8x0a2c4e6g8jk04',
    providerRef: null,
    traceId: null,
    attempts: 1,
    unknownSince: null,
    attentionAt: null,
    attention: null,
    resolution: null,
    outcomes: ['done', 'failed'],
    ...members,
  };
}

/** Money that came for a canceled deposit. */
export function orphanReceiptOf(members: Partial<OrphanReceipt>): OrphanReceipt {
  return {
    id: newId('refund'),
    environment: 'live',
    accountId: newId('account'),
    depositId: newId('deposit'),
    provider: 'efi',
    e2eId: 'E1',
    transferId: null,
    cause: 'canceled',
    state: 'RETURNING',
    currency: 'BRL',
    amount: 100,
    attempts: 5,
    failure: null,
    returnId: null,
    paidAt: '2026-01-02T11:00:00.000Z',
    attentionAt: null,
    attention: null,
    resolution: null,
    outcomes: ['done', 'failed'],
    ...members,
  };
}

/** A dispute as operators see it. */
export function operatorDisputeOf(members: Partial<OperatorDispute>): OperatorDispute {
  return {
    id: newId('dispute'),
    environment: 'live',
    accountId: newId('account'),
    depositId: newId('deposit'),
    externalId: 'd-1',
    e2eId: 'E1',
    currency: 'BRL',
    amount: 500,
    blocked: 500,
    returned: 0,
    reason: null,
    status: 'OPEN',
    openedAt: '2026-01-02T11:00:00.000Z',
    defenseDueAt: null,
    resolvedAt: null,
    evidence: [],
    provider: 'efi',
    disputeRef: 'i-1',
    traceId: null,
    shortfall: 0,
    verdict: null,
    stepSince: null,
    resolution: null,
    entry: null,
    outcomes: ['stands', 'won', 'lost'],
    attentionAt: null,
    attention: null,
    ...members,
  };
}

/** Of a dispute that was lost before its provider contradicted itself. */
export const contradicted = {
  status: 'LOST',
  verdict: 'lost',
  blocked: 0,
  returned: 500,
  attention: 'contradiction',
} as const satisfies Partial<OperatorDispute>;

/** What a bank's letter says of a dispute, as it is entered. */
export function letterOf({ amount, disputeRef, environment }: OperatorDispute) {
  const opened = { opened_at: '2025-01-02T10:00:00.000Z', defense_due_at: '2025-01-09T10:00:00.000-03:00' };
  return {
    environment,
    amount_cents: amount,
    dispute_ref: disputeRef,
    reason: 'FRAUD',
    ...opened,
    evidence: 'letter 12',
  };
}

/** The payment of a dispute, as the service of deposits finds it. */
export function contestedBy({ accountId, depositId, provider, e2eId, currency }: OperatorDispute) {
  return { accountId, depositId, provider, e2eId, currency };
}
