import type { DepositStatus } from '@gateway/contracts/deposits';
import { InvalidStateError } from '#src/errors.ts';

/**
 * CREATING is internal and invisible: the record is claimed, the provider has not answered yet. It ends in PENDING or
 * in no record at all. Every other state is public (spec 3).
 */
export type DepositState = 'CREATING' | DepositStatus;

interface Transition {
  readonly from: readonly DepositState[];
  readonly to: DepositState;
}

/** Every transition of a deposit, by name. */
export const depositLifeCycle = {
  /** The provider has the charge, and the payer can be shown its code. */
  opened: { from: ['CREATING'], to: 'PENDING' },
  /** Money arrived and the ledger has credited it; late is accepted. */
  paid: { from: ['PENDING', 'EXPIRED'], to: 'PAID' },
  expired: { from: ['PENDING'], to: 'EXPIRED' },
  /** The merchant takes the charge back before it is paid. */
  canceled: { from: ['PENDING'], to: 'FAILED' },
  /** The whole amount has gone back to the payer. */
  refunded: { from: ['PAID'], to: 'REFUNDED' },
} as const satisfies Record<string, Transition>;

/** @throws DomainError INVALID_STATE when the deposit's state does not allow it */
export function nextState(state: DepositState, transition: keyof typeof depositLifeCycle): DepositState {
  const { from, to }: Transition = depositLifeCycle[transition];
  if (!from.includes(state)) throw new InvalidStateError(state);
  return to;
}
