import { DomainError } from '@gateway/contracts/errors';
import type { PayoutStatus } from '@gateway/contracts/payouts';

/**
 * - RESERVING: the ledger is asked for amount and fee. Invisible: refused, no record is left.
 * - RELEASING: the caller was answered that nothing was created, so what may be reserved is given back. Invisible, and ends
 *   in no record, or in one that is REJECTED and has given up its external_id.
 * - PENDING: debited, waits for an operator.
 * - SENDING: on its way to the provider; public status PROCESSING.
 * - PROCESSING: the provider has it, or may have it.
 * - SETTLING: the rail confirmed it, the ledger does not know yet; public status PROCESSING.
 * - REVERSING: it will not be paid, the money is not back yet; public status PROCESSING.
 * - REDEBITING: the rail paid it after it was given up as FAILED or REJECTED; the balance has not paid for it again yet;
 *   public status FAILED.
 * - PAID, FAILED, REJECTED: final, and the balance says the same. What comes back later leaves it PAID.
 */
export type PayoutState =
  'RESERVING' | 'RELEASING' | 'SENDING' | 'SETTLING' | 'REVERSING' | 'REDEBITING' | PayoutStatus;

/** Where a reversal leads: refused before it reached the rail, or failed there. */
export type Reversal = 'FAILED' | 'REJECTED';

interface Arrow {
  readonly from: PayoutState;
  /** null: the record is removed. */
  readonly to: PayoutState | null;
}

/** Every transition of a payout, by what happens (design.md 6). Each is one transaction. */
export const payoutLifeCycle = {
  debited: { from: 'RESERVING', to: 'SENDING' },
  debitedForApproval: { from: 'RESERVING', to: 'PENDING' },
  debitRefused: { from: 'RESERVING', to: null },
  abandoned: { from: 'RESERVING', to: 'RELEASING' },
  released: { from: 'RELEASING', to: null },
  givenBack: { from: 'RELEASING', to: 'REJECTED' },
  // The database was restored to a moment before it was sent, and its provider has it.
  foundSent: { from: 'RELEASING', to: 'PROCESSING' },
  approved: { from: 'PENDING', to: 'SENDING' },
  // Approved and sent in what a restored database has forgotten.
  foundUnapproved: { from: 'PENDING', to: 'PROCESSING' },
  paidUnapproved: { from: 'PENDING', to: 'SETTLING' },
  rejected: { from: 'PENDING', to: 'REVERSING' },
  callStarted: { from: 'SENDING', to: 'SENDING' },
  notSent: { from: 'SENDING', to: 'SENDING' },
  // By a provider for a reason of its own: the next one is asked, at once or, where all have refused, later.
  passedOn: { from: 'SENDING', to: 'SENDING' },
  // By an operator, of one that no provider has taken.
  withdrawn: { from: 'SENDING', to: 'REVERSING' },
  accepted: { from: 'SENDING', to: 'PROCESSING' },
  outcomeUnknown: { from: 'SENDING', to: 'PROCESSING' },
  // It is not known whether an earlier call arrived, and that may be what this one was refused for: the refusal is final
  // once the provider, asked again over two minutes, has nothing.
  refusedAgain: { from: 'SENDING', to: 'PROCESSING' },
  // The same of one that could not be made: an earlier call may have arrived.
  notSentAgain: { from: 'SENDING', to: 'PROCESSING' },
  refused: { from: 'SENDING', to: 'REVERSING' },
  confirmedEarly: { from: 'SENDING', to: 'SETTLING' },
  failedEarly: { from: 'SENDING', to: 'REVERSING' },
  stillProcessing: { from: 'PROCESSING', to: 'PROCESSING' },
  // Never of one its provider has shown to have, by accepting or finding it: then operators find out.
  neverArrived: { from: 'PROCESSING', to: 'SENDING' },
  absentAfterRefusal: { from: 'PROCESSING', to: 'REVERSING' },
  confirmed: { from: 'PROCESSING', to: 'SETTLING' },
  failed: { from: 'PROCESSING', to: 'REVERSING' },
  settled: { from: 'SETTLING', to: 'PAID' },
  reversedFailed: { from: 'REVERSING', to: 'FAILED' },
  reversedRejected: { from: 'REVERSING', to: 'REJECTED' },
  confirmedLate: { from: 'FAILED', to: 'REDEBITING' },
  confirmedAfterRefusal: { from: 'REJECTED', to: 'REDEBITING' },
  redebited: { from: 'REDEBITING', to: 'PAID' },
  returnNoticed: { from: 'PAID', to: 'PAID' },
  returned: { from: 'PAID', to: 'PAID' },
} as const satisfies Record<string, Arrow>;

export type PayoutTransition = keyof typeof payoutLifeCycle;

/** What happens and leaves a record. */
export type Move = {
  [H in PayoutTransition]: (typeof payoutLifeCycle)[H]['to'] extends null ? never : H;
}[PayoutTransition];

/** @throws Error when the state does not allow it: the caller has not looked */
export function nextState(state: PayoutState, move: Move): PayoutState {
  const { from, to } = payoutLifeCycle[move];
  if (state !== from) throw new Error(`a payout that is ${state} cannot follow '${move}'`);
  return to;
}

/** What merchants see, or null for a state they do not. */
export function publicStatus(state: PayoutState): PayoutStatus | null {
  switch (state) {
    case 'RESERVING':
    case 'RELEASING':
      return null;
    case 'SENDING':
    case 'SETTLING':
    case 'REVERSING':
      return 'PROCESSING';
    case 'REDEBITING':
      return 'FAILED';
    case 'PENDING':
    case 'PROCESSING':
    case 'PAID':
    case 'FAILED':
    case 'REJECTED':
      return state;
  }
}

/** The state of the payout forbids what is asked for; one between two public states says so, since it passes soon. */
export class PayoutStateError extends DomainError {
  constructor({ state }: { readonly state: PayoutState }, what: string) {
    const status = publicStatus(state) ?? 'PROCESSING';
    const passing = status === state ? '' : ` (${state.toLowerCase()})`;
    super('INVALID_STATE', `a payout that is ${status}${passing} cannot be ${what}`);
  }
}

const states: readonly PayoutState[] = [
  ...(['RESERVING', 'RELEASING', 'PENDING', 'SENDING', 'PROCESSING', 'SETTLING', 'REVERSING', 'REDEBITING'] as const),
  ...(['PAID', 'FAILED', 'REJECTED'] as const),
];

/** The states a merchant knows under a status. */
export function statesOf(status: PayoutStatus): PayoutState[] {
  return states.filter((state) => publicStatus(state) === status);
}

export const invisibleStates: readonly PayoutState[] = states.filter((state) => publicStatus(state) === null);
