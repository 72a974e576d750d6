import type { DisputeStatus } from '@gateway/contracts/deposits';
import { InvalidDisputeStateError } from '#src/errors.ts';

/** OPENING is internal and invisible: the ledger has not blocked the money yet. Every other state is public. */
export type DisputeState = 'OPENING' | DisputeStatus;

interface Transition {
  readonly from: readonly DisputeState[];
  readonly to: DisputeState;
}

/** Every transition of a dispute, by name. */
export const disputeLifeCycle = {
  /** The ledger holds what there is. */
  blocked: { from: ['OPENING'], to: 'OPEN' },
  /** Evidence was sent, or the provider is looking at it. */
  contested: { from: ['OPEN', 'UNDER_ANALYSIS'], to: 'UNDER_ANALYSIS' },
  /** What was held is released. */
  won: { from: ['OPEN', 'UNDER_ANALYSIS'], to: 'WON' },
  /** What was held has gone back to the payer. */
  lost: { from: ['OPEN', 'UNDER_ANALYSIS'], to: 'LOST' },
  /** The provider takes a decision against the merchant back: compensated. */
  overturned: { from: ['LOST'], to: 'WON' },
} as const satisfies Record<string, Transition>;

/** @throws DomainError INVALID_STATE when the dispute's state does not allow it */
export function nextDisputeState(state: DisputeState, transition: keyof typeof disputeLifeCycle): DisputeState {
  const { from, to }: Transition = disputeLifeCycle[transition];
  if (!from.includes(state)) throw new InvalidDisputeStateError(state);
  return to;
}
