import type { LedgerResult } from '@gateway/contracts/ledger';

/** The ledger has decided otherwise on the same payout before. */
export function cameTooLate({ outcome, refusal }: LedgerResult): boolean {
  return outcome === 'refused' && refusal === 'invalid_state';
}

/**
 * For commands the ledger has no reason to refuse. It never changes its mind, so a refusal is a defect that an operator
 * has to look at; the payout stays where it is, visible, and nothing is concluded.
 *
 * @throws Error naming the refusal
 */
export function requireApplied({ commandId, outcome, refusal, field }: LedgerResult): void {
  if (outcome === 'applied') return;
  throw new Error(`the ledger answers ${commandId} with ${outcome}: ${refusal ?? field ?? 'no reason given'}`);
}
