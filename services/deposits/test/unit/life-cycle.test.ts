import { describe, expect, test } from 'vitest';
import { depositLifeCycle, nextState, type DepositState } from '#src/deposit/life-cycle.ts';
import { disputeLifeCycle, nextDisputeState, type DisputeState } from '#src/dispute/life-cycle.ts';
import { refundLifeCycle, type RefundTransition } from '#src/refund/life-cycle.ts';

const depositStates: readonly DepositState[] = ['CREATING', 'PENDING', 'PAID', 'EXPIRED', 'REFUNDED', 'FAILED'];
const disputeStates: readonly DisputeState[] = ['OPENING', 'OPEN', 'UNDER_ANALYSIS', 'WON', 'LOST'];

type DepositTransition = keyof typeof depositLifeCycle;
type DisputeTransition = keyof typeof disputeLifeCycle;

/** Every allowed step, written out a second time: a change of the table has to be meant. */
const depositSteps: Readonly<Record<DepositTransition, Partial<Record<DepositState, DepositState>>>> = {
  opened: { CREATING: 'PENDING' },
  paid: { PENDING: 'PAID', EXPIRED: 'PAID' },
  expired: { PENDING: 'EXPIRED' },
  canceled: { PENDING: 'FAILED' },
  refunded: { PAID: 'REFUNDED' },
};

const disputeSteps: Readonly<Record<DisputeTransition, Partial<Record<DisputeState, DisputeState>>>> = {
  blocked: { OPENING: 'OPEN' },
  contested: { OPEN: 'UNDER_ANALYSIS', UNDER_ANALYSIS: 'UNDER_ANALYSIS' },
  won: { OPEN: 'WON', UNDER_ANALYSIS: 'WON' },
  lost: { OPEN: 'LOST', UNDER_ANALYSIS: 'LOST' },
  overturned: { LOST: 'WON' },
};

const refusal = expect.objectContaining({ code: 'INVALID_STATE' }) as Error;

describe.each(Object.keys(depositLifeCycle) as DepositTransition[])('a deposit that is %s', (transition) => {
  test.each(depositStates)('while %s goes where the table says, or nowhere', (state) => {
    const target = depositSteps[transition][state];
    if (target) expect(nextState(state, transition)).toBe(target);
    else expect(() => nextState(state, transition)).toThrow(refusal);
  });
});

describe.each(Object.keys(disputeLifeCycle) as DisputeTransition[])('a dispute that is %s', (transition) => {
  test.each(disputeStates)('while %s goes where the table says, or nowhere', (state) => {
    const target = disputeSteps[transition][state];
    if (target) expect(nextDisputeState(state, transition)).toBe(target);
    else expect(() => nextDisputeState(state, transition)).toThrow(refusal);
  });
});

/** Every transition of a refund, which is locked while one is applied. */
const refundSteps: Readonly<Record<RefundTransition, string>> = {
  reserved: 'RESERVING → SENDING',
  abandoned: 'RESERVING → RELEASING',
  givenBack: 'RELEASING → FAILED',
  foundSent: 'RELEASING → SENDING',
  done: 'SENDING → DONE',
  refused: 'SENDING → REVERSING',
  reversed: 'REVERSING → FAILED',
  reversedAlthoughDone: 'REVERSING → REDEBITING',
  doneAfterFailure: 'FAILED → REDEBITING',
  cameBack: 'DONE → REVERSING',
  redebited: 'REDEBITING → DONE',
};

test('a refund has these transitions and no other', () => {
  const transitions = Object.entries(refundLifeCycle).map(([name, { from, to }]) => [name, `${from} → ${to}`]);
  expect(Object.fromEntries(transitions)).toEqual(refundSteps);
});
