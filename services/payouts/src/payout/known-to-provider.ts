import type { PayoutRow } from '#src/payout/payout-entity.ts';

/**
 * Whether the provider has shown once that it has the payout: it accepted the call, found it, or answered for our reference
 * with other terms. From then on its absence proves nothing, so that the payout is never sent again.
 */
export function isKnownToProvider({ providerRef, e2eId }: Pick<PayoutRow, 'providerRef' | 'e2eId'>): boolean {
  return Boolean(providerRef) || Boolean(e2eId);
}

/** Takes a refusal off the record that a repeated call was answered with: the provider has the payout after all. */
export const noRefusal = { reversal: null, failureReason: null, failureMessage: null } as const;
