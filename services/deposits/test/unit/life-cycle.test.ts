import { describe, expect, test } from 'vitest';
import { depositLifeCycle, follow, type DepositState } from '#src/deposit/life-cycle.ts';
import { disputeLifeCycle, followDispute, type DisputeState } from '#src/dispute/life-cycle.ts';
import { refundLifeCycle, type RefundHappening } from '#src/refund/life-cycle.ts';

const depositStates: readonly DepositState[] = ['CREATING', 'PENDING', 'PAID', 'EXPIRED', 'REFUNDED', 'FAILED'];
const disputeStates: readonly DisputeState[] = ['OPENING', 'OPEN', 'UNDER_ANALYSIS', 'WON', 'LOST'];

type DepositHappening = keyof typeof depositLifeCycle;
type DisputeHappening = keyof typeof disputeLifeCycle;

/** Every allowed step, written out a second time: a change of the table has to be meant. */
const depositSteps: Readonly<Record<DepositHappening, Partial<Record<DepositState, DepositState>>>> = {
  opened: { CREATING: 'PENDING' },
  paid: { PENDING: 'PAID', EXPIRED: 'PAID' },
  expired: { PENDING: 'EXPIRED' },
  canceled: { PENDING: 'FAILED' },
  refunded: { PAID: 'REFUNDED' },
};

const disputeSteps: Readonly<Record<DisputeHappening, Partial<Record<DisputeState, DisputeState>>>> = {
  blocked: { OPENING: 'OPEN' },
  contested: { OPEN: 'UNDER_ANALYSIS', UNDER_ANALYSIS: 'UNDER_ANALYSIS' },
  won: { OPEN: 'WON', UNDER_ANALYSIS: 'WON' },
  lost: { OPEN: 'LOST', UNDER_ANALYSIS: 'LOST' },
  overturned: { LOST: 'WON' },
};

const refusal = expect.objectContaining({ code: 'INVALID_STATE' }) as Error;

describe.each(Object.keys(depositLifeCycle) as DepositHappening[])('a deposit that is %s', (happening) => {
  test.each(depositStates)('while %s goes where the table says, or nowhere', (state) => {
    const target = depositSteps[happening][state];
    if (target) expect(follow(state, happening)).toBe(target);
    else expect(() => follow(state, happening)).toThrow(refusal);
  });
});

describe.each(Object.keys(disputeLifeCycle) as DisputeHappening[])('a dispute that is %s', (happening) => {
  test.each(disputeStates)('while %s goes where the table says, or nowhere', (state) => {
    const target = disputeSteps[happening][state];
    if (target) expect(followDispute(state, happening)).toBe(target);
    else expect(() => followDispute(state, happening)).toThrow(refusal);
  });
});

/** Every arrow of a refund, which is locked while it follows one. */
const refundSteps: Readonly<Record<RefundHappening, string>> = {
  reserved: 'RESERVING → SENDING',
  done: 'SENDING → DONE',
  refused: 'SENDING → REVERSING',
  reversed: 'REVERSING → FAILED',
  reversedAlthoughDone: 'REVERSING → REDEBITING',
  doneAfterFailure: 'FAILED → REDEBITING',
  redebited: 'REDEBITING → DONE',
};

test('a refund has these transitions and no other', () => {
  const arrows = Object.entries(refundLifeCycle).map(([name, { from, to }]) => [name, `${from} → ${to}`]);
  expect(Object.fromEntries(arrows)).toEqual(refundSteps);
});
