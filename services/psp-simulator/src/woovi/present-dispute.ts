import type { Dispute, DisputeStatus } from '#src/account/dispute.ts';

/* The lookup, the list and the notification have names of their own for the same states, and none has them all. */

const foundStatuses = {
  OPEN: 'CREATED',
  UNDER_ANALYSIS: 'CREATED',
  ACCEPTED: 'ACCEPTED',
  REJECTED: 'REJECTED',
  CANCELED: 'CANCELED',
} as const satisfies Record<DisputeStatus, string>;

const listedStatuses = { ...foundStatuses, OPEN: 'IN_REVIEW', UNDER_ANALYSIS: 'IN_REVIEW' } as const;
const noticedStatuses = { ...foundStatuses, OPEN: 'OPENED', UNDER_ANALYSIS: 'OPENED' } as const;

function presentFacts({ e2eId, reason }: Dispute) {
  return {
    endToEndId: e2eId,
    name: 'FULANO DE TAL',
    email: 'fulano@example.com',
    phoneNumber: '+5511999999999',
    disputeReason: reason,
  };
}

/** `GET /api/v1/dispute/{id}`: the amount is text here, and there is no time. */
export function presentFoundDispute(dispute: Dispute): object {
  const status = foundStatuses[dispute.status];
  return { ...presentFacts(dispute), status, value: String(dispute.amount), type: 'MED' };
}

/** `GET /api/v1/dispute`. */
export function presentListedDispute(dispute: Dispute): object {
  return {
    ...presentFacts(dispute),
    status: listedStatuses[dispute.status],
    value: dispute.amount,
    type: 'MED',
    createdAt: dispute.openedAt.toISOString(),
    updatedAt: dispute.changedAt.toISOString(),
  };
}

/** In a notification. Its id, which evidence asks for, is in that of the opening alone. */
export function presentNoticedDispute(dispute: Dispute): object {
  const isOpen = dispute.status === 'OPEN' || dispute.status === 'UNDER_ANALYSIS';
  const status = noticedStatuses[dispute.status];
  return { ...presentFacts(dispute), status, value: dispute.amount, ...(isOpen ? { id: dispute.id } : {}) };
}
