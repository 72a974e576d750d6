import type { PayoutRow } from '#src/payout/payout-entity.ts';

/** `failure_reason` of a payout that people ended before it set out, with its text. */
export const turnedDown = {
  canceled_by_merchant: 'The merchant canceled the payout.',
  refused_by_operator: 'An operator refused the payout.',
} as const;

/** Whether people ended it, and not a provider. */
export function isTurnedDown({ failureReason }: Pick<PayoutRow, 'failureReason'>): boolean {
  return failureReason !== null && failureReason !== undefined && Object.hasOwn(turnedDown, failureReason);
}
