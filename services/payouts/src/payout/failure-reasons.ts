import type { PayoutRow } from '#src/payout/payout-entity.ts';

/** `failure_reason` of a payout that people ended before it set out, with its text. */
export const rejectionMessages = {
  canceled_by_merchant: 'The merchant canceled the payout.',
  refused_by_operator: 'An operator refused the payout.',
} as const;

/** Whether people ended it, and not a provider. */
export function isRejectedByPeople({ failureReason }: Pick<PayoutRow, 'failureReason'>): boolean {
  return failureReason !== null && failureReason !== undefined && Object.hasOwn(rejectionMessages, failureReason);
}

/** Why a reservation that was given back is REJECTED. */
export const abandoned = {
  reversal: 'REJECTED',
  failureReason: 'creation_abandoned',
  failureMessage: 'The call that asked for the payout was not answered in time; amount and fee went back.',
} as const;

/** Takes a refusal off the record that a repeated call was answered with: the provider has the payout after all. */
export const noRefusal = { reversal: null, failureReason: null, failureMessage: null } as const;
