import type { AttentionReason, PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';

/** The gravest first: what operators have to find out of it is not done by anything the payout comes to. */
const lasting: readonly AttentionReason[] = ['paid_twice', 'contradiction'];

/** Whether it stays in the operators' queue until they have decided, however the payout ends. */
export function hasLastingAttention({ attentionReason }: Pick<PayoutRow, 'attentionReason'>): boolean {
  return lasting.some((reason) => reason === attentionReason);
}

/** Puts a payout into the operators' queue. It keeps its place there; what lasts is never called anything less. */
export function needAttention(payout: PayoutRow, reason: AttentionReason, at: Date): PayoutChanges {
  const isGraver = lasting.includes(reason) && payout.attentionReason !== lasting[0];
  if (hasLastingAttention(payout) && !isGraver) return {};
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

/** Of a payout that a provider has been found for: that there was none needs no operator any more. */
export function hasProvider({ attentionAt, attentionReason }: PayoutRow): PayoutChanges {
  return attentionReason === 'no_provider' ? noAttention({ attentionAt }) : {};
}

/**
 * Whether it waits until a provider takes it: every call has provably not been taken, and none is under way. From here it can
 * be ended by an operator.
 */
export function waitsForProvider(payout: PayoutRow): boolean {
  const { state, attentionReason, callStartedAt, processingAt } = payout;
  if (state !== 'SENDING' || attentionReason !== 'no_provider') return false;
  return !callStartedAt && !processingAt && !isKnownToProvider(payout);
}

/**
 * Whether the provider has shown once that it has the payout: it accepted the call, found it, or answered for our reference
 * with other terms. From then on its absence proves nothing, so that the payout is never sent again.
 */
export function isKnownToProvider({ providerRef, e2eId }: Pick<PayoutRow, 'providerRef' | 'e2eId'>): boolean {
  return Boolean(providerRef) || Boolean(e2eId);
}
