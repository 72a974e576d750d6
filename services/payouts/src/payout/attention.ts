import type { AttentionReason, PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';

/** Puts a payout into the operators' queue. It keeps its place there; a contradiction is never called anything less. */
export function needAttention(payout: PayoutRow, reason: AttentionReason, at: Date): PayoutChanges {
  if (payout.attentionReason === 'contradiction') return {};
  return { attentionAt: payout.attentionAt ?? at, attentionReason: reason };
}

/** The provider has something under our reference, so that it does not find it later does not mean that it never arrived. */
export function whatDiffers(payout: PayoutRow, at: Date): PayoutChanges {
  return { ...needAttention(payout, 'answer_differs', at), providerRef: payout.providerRef ?? payout.reference };
}

/** Takes it out of the queue, if it is there. */
export function noAttention({ attentionAt }: Pick<PayoutRow, 'attentionAt'>): PayoutChanges {
  return attentionAt ? { attentionAt: null, attentionReason: null } : {};
}

/**
 * Whether the provider has shown once that it has the payout: it accepted the call, found it, or answered for our reference
 * with other terms. From then on its absence proves nothing, so that the payout is never sent again.
 */
export function isKnownToProvider({ providerRef, e2eId }: Pick<PayoutRow, 'providerRef' | 'e2eId'>): boolean {
  return Boolean(providerRef) || Boolean(e2eId);
}
