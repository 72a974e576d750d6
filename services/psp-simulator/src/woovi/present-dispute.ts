import type { Dispute, DisputeStatus } from '#src/disputes/dispute.ts';

/** What the lookup and the list call them; a notification says OPENED for the first. */
const statusNames = {
  OPEN: 'CREATED',
  UNDER_ANALYSIS: 'IN_REVIEW',
  ACCEPTED: 'ACCEPTED',
  REJECTED: 'REJECTED',
  CANCELED: 'CANCELED',
} as const satisfies Record<DisputeStatus, string>;

export function presentDispute(dispute: Dispute): object {
  return {
    id: dispute.id,
    status: statusNames[dispute.status],
    endToEndId: dispute.e2eId,
    name: 'FULANO DE TAL',
    email: 'fulano@example.com',
    phoneNumber: '+5511999999999',
    value: dispute.amount,
    disputeReason: dispute.reason,
    type: 'MED',
    createdAt: dispute.openedAt.toISOString(),
    updatedAt: dispute.changedAt.toISOString(),
  };
}
