import { describe, expect, test } from 'vitest';
import {
  invisibleStates,
  nextState,
  payoutLifeCycle,
  PayoutStateError,
  publicStatus,
  statesOf,
  type Move,
  type PayoutState,
  type PayoutTransition,
} from '#src/payout/life-cycle.ts';

/** Every state, and what merchants see of it, written out a second time: a change has to be meant. */
const statuses: Readonly<Record<PayoutState, ReturnType<typeof publicStatus>>> = {
  RESERVING: null,
  RELEASING: null,
  PENDING: 'PENDING',
  SENDING: 'PROCESSING',
  PROCESSING: 'PROCESSING',
  SETTLING: 'PROCESSING',
  REVERSING: 'PROCESSING',
  REDEBITING: 'FAILED',
  PAID: 'PAID',
  FAILED: 'FAILED',
  REJECTED: 'REJECTED',
};
const states = Object.keys(statuses) as PayoutState[];

/** Every allowed step, likewise: `from → to`, where nothing behind the arrow means that no record is left. */
const steps: Readonly<Record<PayoutTransition, string>> = {
  debited: 'RESERVING → SENDING',
  debitedForApproval: 'RESERVING → PENDING',
  debitRefused: 'RESERVING →',
  abandoned: 'RESERVING → RELEASING',
  released: 'RELEASING →',
  givenBack: 'RELEASING → REJECTED',
  foundSent: 'RELEASING → PROCESSING',
  approved: 'PENDING → SENDING',
  foundUnapproved: 'PENDING → PROCESSING',
  paidUnapproved: 'PENDING → SETTLING',
  rejected: 'PENDING → REVERSING',
  callStarted: 'SENDING → SENDING',
  notSent: 'SENDING → SENDING',
  passedOn: 'SENDING → SENDING',
  accepted: 'SENDING → PROCESSING',
  outcomeUnknown: 'SENDING → PROCESSING',
  refusedAgain: 'SENDING → PROCESSING',
  notSentAgain: 'SENDING → PROCESSING',
  refused: 'SENDING → REVERSING',
  confirmedEarly: 'SENDING → SETTLING',
  failedEarly: 'SENDING → REVERSING',
  stillProcessing: 'PROCESSING → PROCESSING',
  neverArrived: 'PROCESSING → SENDING',
  absentAfterRefusal: 'PROCESSING → REVERSING',
  confirmed: 'PROCESSING → SETTLING',
  withdrawn: 'SENDING → REVERSING',
  failed: 'PROCESSING → REVERSING',
  settled: 'SETTLING → PAID',
  reversedFailed: 'REVERSING → FAILED',
  reversedRejected: 'REVERSING → REJECTED',
  confirmedLate: 'FAILED → REDEBITING',
  confirmedAfterRefusal: 'REJECTED → REDEBITING',
  redebited: 'REDEBITING → PAID',
  returnNoticed: 'PAID → PAID',
  returned: 'PAID → PAID',
};

test('a payout has these transitions and no other', () => {
  const arrows = Object.entries(payoutLifeCycle).map(([name, { from, to }]) => [name, `${from} → ${to ?? ''}`.trim()]);
  expect(Object.fromEntries(arrows)).toEqual(steps);
});

describe.each(Object.keys(steps) as PayoutTransition[])('a payout to which "%s" happens', (transition) => {
  const [from, to] = steps[transition].split(' →').map((state) => state.trim());

  test.each(states)('while %s goes where the table says, or nowhere', (state) => {
    const isAllowed = state === from;
    if (!isAllowed) {
      const refusal = `a payout that is ${state} cannot follow '${transition}'`;
      expect(() => nextState(state, transition as Move)).toThrow(refusal);
    } else if (to !== '') {
      expect(nextState(state, transition as Move)).toBe(to);
    }
  });
});

describe('a merchant', () => {
  test.each(states)('sees of %s its public status alone', (state) => {
    expect(publicStatus(state)).toBe(statuses[state]);
  });

  test('finds under a status exactly the states that have it, and no invisible ones', () => {
    for (const status of ['PENDING', 'PROCESSING', 'PAID', 'FAILED', 'REJECTED'] as const) {
      expect(statesOf(status).toSorted()).toEqual(states.filter((state) => statuses[state] === status).toSorted());
    }
    expect(invisibleStates).toEqual(['RESERVING', 'RELEASING']);
  });

  test.each([
    ['PAID', 'a payout that is PAID cannot be canceled'],
    ['SENDING', 'a payout that is PROCESSING (sending) cannot be canceled'],
    ['RESERVING', 'a payout that is PROCESSING (reserving) cannot be canceled'],
    ['REDEBITING', 'a payout that is FAILED (redebiting) cannot be canceled'],
  ] as const)('is refused with the public status of %s, and told where it passes', (state, message) => {
    expect(new PayoutStateError({ state }, 'canceled')).toMatchObject({ code: 'INVALID_STATE', message });
  });
});
