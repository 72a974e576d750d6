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
  return { ...needAttention(payout, 'answer_differs', at), ...isThere(payout) };
}

/** On record of a payout that its provider has shown to have: `isKnownToProvider` from then on. */
export function isThere({ providerRef, reference }: PayoutRow): PayoutChanges {
  return { providerRef: providerRef ?? reference };
}

/** Takes it out of the queue, if it is there. */
export function noAttention({ attentionAt }: Pick<PayoutRow, 'attentionAt'>): PayoutChanges {
  return attentionAt ? { attentionAt: null, attentionReason: null } : {};
}

/** Why a payout that no provider has taken is not sent. */
const unsentReasons: readonly AttentionReason[] = ['no_provider', 'account_frozen'];

function isUnsent({ attentionReason }: Pick<PayoutRow, 'attentionReason'>): boolean {
  return unsentReasons.some((reason) => reason === attentionReason);
}

/** Of a payout that a provider has been found for: that there was none needs no operator any more. */
export function hasProvider(payout: PayoutRow): PayoutChanges {
  return isUnsent(payout) ? noAttention(payout) : {};
}

/** Of one whose account is not frozen (any more). */
export function isNotFrozen(payout: PayoutRow): PayoutChanges {
  return payout.attentionReason === 'account_frozen' ? noAttention(payout) : {};
}

/**
 * Whether it waits until a provider takes it, or its account is unfrozen: every call has provably not been taken, and none is
 * under way. From here it can be ended by an operator.
 */
export function waitsForProvider(payout: PayoutRow): boolean {
  const { state, callStartedAt, processingAt } = payout;
  if (state !== 'SENDING' || !isUnsent(payout)) return false;
  return !callStartedAt && !processingAt && !isKnownToProvider(payout);
}

/**
 * Whether the provider has shown once that it has the payout: it accepted the call, found it, or answered for our reference
 * with other terms. From then on its absence proves nothing, so that the payout is never sent again.
 */
export function isKnownToProvider({ providerRef, e2eId }: Pick<PayoutRow, 'providerRef' | 'e2eId'>): boolean {
  return Boolean(providerRef) || Boolean(e2eId);
}
