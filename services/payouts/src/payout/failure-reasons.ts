import type { PayoutFailureReason } from '@gateway/contracts/payouts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';

/** `failure_reason` of a payout that people ended before it set out. */
export const reasonsOfPeople = ['canceled_by_merchant', 'refused_by_operator'] as const satisfies PayoutFailureReason[];
export type ReasonOfPeople = (typeof reasonsOfPeople)[number];

/** Whether people ended it, and not a provider. */
export function isRejectedByPeople({ failureReason }: Pick<PayoutRow, 'failureReason'>): boolean {
  return reasonsOfPeople.some((reason) => reason === failureReason);
}

/** Why a reservation that was given back is REJECTED. */
export const abandoned = {
  reversal: 'REJECTED',
  failureReason: 'creation_abandoned' satisfies PayoutFailureReason,
} as const;

/** Takes a refusal off the record that a repeated call was answered with: the provider has the payout after all. */
export const noRefusal = { reversal: null, failureReason: null, providerMessage: null } as const;
