import { describe, expect, test } from 'vitest';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import type { DepositReference, DisputeReference, Reference, RefundReference } from '#src/posting/reference.ts';
import type { LedgerView } from '#src/posting/rule.ts';
import { evaluate } from '#src/posting/rules/rules.ts';

const owner = { accountId: 'acc_1', currency: 'BRL' } as const;
const atSec = 1_000;
const deposit: DepositReference = {
  ...{ kind: 'deposit', id: 'dep_1', ...owner },
  ...{ amount: 10_000, pending: 0, releaseAt: null, committed: 2_000 },
};
const refund: RefundReference = {
  ...{ kind: 'refund', id: 'rfd_1', ...owner },
  ...{ amount: 2_000, depositId: 'dep_1', state: 'reserved', shortfall: 0 },
};
const dispute: DisputeReference = {
  ...{ kind: 'dispute', id: 'med_1', ...owner },
  ...{ amount: 5_000, depositId: 'dep_1', state: 'open', blocked: 3_000, shortfall: 2_000 },
  ...{ captureUntil: atSec + 1, returned: 0, provider: null },
};

/** What a command comes to, with these records and this much available. */
function decide(command: object, references: readonly Reference[], available = 0, atMs = atSec * 1_000) {
  const view: LedgerView = {
    bucketsOf: () => ({ available, pending: 0, blocked: 0 }),
    reference: (id) => references.find((reference) => reference.id === id),
  };
  const ids = { depositId: 'dep_1', refundId: 'rfd_1', disputeId: 'med_1', provider: 'efi' };
  const whole: object = { ...owner, ...ids, ...command };
  return evaluate(whole as LedgerCommand, view, atMs);
}

const available = (amount: number, type: string, refType: string, refId: string) => {
  return { bucket: 'available', ...owner, amount, entry: { type, refType, refId } };
};
const blocked = (amount: number) => ({ bucket: 'blocked', ...owner, amount });
const provider = (amount: number) => ({ bucket: 'system', account: 'provider:efi', currency: 'BRL', amount });
const blockedBy = (amount: number) => available(amount, 'MED_BLOCK', 'dispute', 'med_1');
const releasedBy = (amount: number) => available(amount, 'MED_RELEASE', 'dispute', 'med_1');

test('what was pending is available, and no longer pending, by the part that is released', () => {
  const retained = { ...deposit, pending: 900, releaseAt: 5 };
  expect(decide({ kind: 'release-pending', amount: 300 }, [retained])).toEqual({
    postings: [{ bucket: 'pending', ...owner, amount: -300 }, available(300, 'DEPOSIT_NET', 'deposit', 'dep_1')],
    references: [{ ...retained, pending: 600 }],
  });
});

describe('a dispute', () => {
  test('blocks what is there, lacks the rest, and commits its deposit', () => {
    const command = { kind: 'block-dispute', amount: 9_000, captureUntil: 7 };
    expect(decide(command, [deposit], 3_000)).toEqual({
      postings: [blockedBy(-3_000), blocked(3_000)],
      references: [
        { ...deposit, committed: 10_000 },
        { ...dispute, amount: 8_000, blocked: 3_000, shortfall: 5_000, captureUntil: 7 },
      ],
      amounts: { blocked: 3_000 },
    });
  });

  test('that is open is extended by what it has grown to: blocked as far as it goes, lacking the rest', () => {
    const spent = { ...deposit, committed: 7_000 };
    expect(decide({ kind: 'extend-dispute', amount: 6_000 }, [dispute, spent], 400)).toEqual({
      postings: [blockedBy(-400), blocked(400)],
      references: [
        { ...dispute, amount: 6_000, blocked: 3_400, shortfall: 2_600 },
        { ...spent, committed: 8_000 },
      ],
      amounts: { extended: 1_000 },
    });
    const all = decide({ kind: 'extend-dispute', amount: 10_000 }, [dispute, spent], 9_000);
    expect(all).toMatchObject({ amounts: { extended: 3_000 }, postings: [{ amount: -3_000 }, { amount: 3_000 }] });
  });

  test('that is lost is extended towards its payer, through the provider that lost it', () => {
    const lost = { ...dispute, state: 'lost', provider: 'efi', blocked: 0, returned: 3_000 } as const;
    expect(decide({ kind: 'extend-dispute', amount: 6_000 }, [lost, deposit], 400)).toEqual({
      postings: [blockedBy(-400), provider(400)],
      references: [
        { ...lost, amount: 6_000, returned: 3_400, shortfall: 2_600 },
        { ...deposit, committed: 3_000 },
      ],
      amounts: { extended: 1_000 },
    });
    // One that is lost, and whose money waits for its provider, holds what it takes.
    const waiting = { ...dispute, state: 'lost' } as const;
    expect(decide({ kind: 'extend-dispute', amount: 6_000 }, [waiting, deposit], 400)).toMatchObject({
      postings: [blockedBy(-400), blocked(400)],
    });
    // One that is open is blocked for, although its provider is known.
    const known = { ...dispute, provider: 'efi' };
    expect(decide({ kind: 'extend-dispute', amount: 6_000 }, [known, deposit], 400)).toMatchObject({
      postings: [blockedBy(-400), blocked(400)],
    });
  });

  test.each([
    ['that is won', { state: 'won' }, {}, 6_000],
    ['whose time is over', { captureUntil: atSec }, {}, 6_000],
    ['that claims as much already', {}, {}, 5_000],
    ['that claims more already', {}, {}, 4_000],
    ['whose deposit is committed whole', {}, { committed: 10_000 }, 6_000],
    ['whose deposit is committed beyond its amount', {}, { committed: 10_001 }, 6_000],
  ] as const)('%s is not extended', (_what, ofDispute, ofDeposit, amount) => {
    const references = [{ ...dispute, ...ofDispute } as DisputeReference, { ...deposit, ...ofDeposit }];
    expect(decide({ kind: 'extend-dispute', amount }, references, 9_000)).toEqual({
      ...{ postings: [], references: [], amounts: { extended: 0 } },
    });
  });

  test('is extended to the last millisecond of its time, and by at most the deposit', () => {
    const command = { kind: 'extend-dispute', amount: 6_000 };
    const last = decide(command, [dispute, deposit], 0, dispute.captureUntil * 1_000 - 1);
    expect(last).toMatchObject({ amounts: { extended: 1_000 } });
    expect(decide({ ...command, amount: 10_000 }, [dispute, { ...deposit, committed: 9_500 }])).toMatchObject({
      amounts: { extended: 500 },
    });
    expect(decide({ ...command, amount: 10_001 }, [dispute, deposit])).toEqual({ refusal: 'exceeds_reference' });
  });

  test('that is won gives back what is blocked, lacks nothing, and frees its deposit', () => {
    const spent = { ...deposit, committed: 7_000 };
    expect(decide({ kind: 'release-dispute' }, [dispute, spent])).toEqual({
      postings: [blocked(-3_000), releasedBy(3_000)],
      references: [
        { ...dispute, state: 'won', blocked: 0, shortfall: 0 },
        { ...spent, committed: 2_000 },
      ],
      amounts: { released: 3_000 },
    });
  });

  test('that is lost pays its payer what is blocked, and goes on lacking the rest', () => {
    expect(decide({ kind: 'return-dispute' }, [dispute, deposit])).toEqual({
      postings: [blocked(-3_000), provider(3_000), releasedBy(0)],
      references: [
        { ...dispute, state: 'lost', blocked: 0, shortfall: 2_000, returned: 3_000, provider: 'efi' },
        { ...deposit, committed: 2_000 },
      ],
      amounts: { returned: 3_000, shortfall: 2_000, released: 0 },
    });
  });

  test('that is lost in part gives back the rest, and frees it in its deposit', () => {
    const spent = { ...deposit, committed: 7_000 };
    expect(decide({ kind: 'return-dispute', amount: 1_000 }, [dispute, spent])).toEqual({
      postings: [blocked(-3_000), provider(1_000), releasedBy(2_000)],
      references: [
        { ...dispute, amount: 1_000, state: 'lost', blocked: 0, shortfall: 0, returned: 1_000, provider: 'efi' },
        { ...spent, committed: 3_000 },
      ],
      amounts: { returned: 1_000, shortfall: 0, released: 2_000 },
    });
    const more = decide({ kind: 'return-dispute', amount: 4_000 }, [dispute, spent]);
    expect(more).toMatchObject({ amounts: { returned: 3_000, shortfall: 1_000, released: 0 } });
  });

  test('that was lost and is won after all is credited what went back, and frees its deposit', () => {
    const lost = { ...dispute, state: 'lost', provider: 'efi', blocked: 0, returned: 3_000 } as const;
    const spent = { ...deposit, committed: 7_000 };
    expect(decide({ kind: 'overturn-dispute' }, [lost, spent])).toEqual({
      postings: [releasedBy(3_000), provider(-3_000)],
      references: [
        { ...lost, state: 'won', shortfall: 0, returned: 0 },
        { ...spent, committed: 2_000 },
      ],
      amounts: { released: 3_000 },
    });
  });

  test('whose time is over gives up what it lacks, and says so', () => {
    const lapsed = { ...dispute, shortfall: 0 };
    const over = dispute.captureUntil * 1_000;
    expect(decide({ kind: 'lapse-dispute' }, [dispute], 0, over)).toEqual({
      ...{ postings: [], references: [lapsed], alsoChanged: [lapsed], amounts: { lapsed: 2_000 } },
    });
    expect(decide({ kind: 'lapse-dispute' }, [dispute], 0, over - 1)).toEqual({ refusal: 'invalid_state' });
    expect(decide({ kind: 'lapse-dispute' }, [lapsed], 0, over)).toEqual({ refusal: 'invalid_state' });
  });

  const foreign = { ...deposit, currency: 'MXN' } as const;

  test.each(['extend-dispute', 'release-dispute', 'return-dispute', 'overturn-dispute'] as const)(
    'is known by itself and by its deposit before %s is decided',
    (kind) => {
      const state = kind === 'overturn-dispute' ? 'lost' : 'open';
      const found = { ...dispute, state } as const;
      expect(decide({ kind, amount: 1 }, [deposit])).toEqual({ refusal: 'unknown_reference' });
      expect(decide({ kind, amount: 1 }, [found])).toEqual({ refusal: 'unknown_reference' });
      expect(decide({ kind, amount: 1 }, [found, foreign])).toEqual({ refusal: 'currency_mismatch' });
    },
  );

  test.each([
    ['release-dispute', 'lost'],
    ['release-dispute', 'won'],
    ['return-dispute', 'lost'],
    ['return-dispute', 'won'],
    ['overturn-dispute', 'open'],
    ['overturn-dispute', 'won'],
  ] as const)('does not follow %s when it is %s', (kind, state) => {
    expect(decide({ kind }, [{ ...dispute, state }, deposit])).toEqual({ refusal: 'invalid_state' });
  });
});

describe('a refund', () => {
  const reversed = { ...refund, state: 'reversed' } as const;
  const refunded = (amount: number) => available(amount, 'DEPOSIT_REFUND', 'refund', 'rfd_1');

  test('is taken from the balance, and commits its deposit', () => {
    const command = { kind: 'refund-deposit', amount: 2_000, depositAmount: 10_000 };
    expect(decide(command, [deposit])).toEqual({
      postings: [refunded(-2_000), provider(2_000)],
      references: [{ ...deposit, committed: 4_000 }, refund],
    });
  });

  test('is at most what is left of what was paid, by either account of it', () => {
    const command = { kind: 'refund-deposit', amount: 8_000, depositAmount: 10_000 };
    expect(decide(command, [deposit])).toHaveProperty('postings');
    expect(decide({ ...command, amount: 8_001 }, [deposit])).toEqual({ refusal: 'exceeds_reference' });
    expect(decide({ ...command, depositAmount: 9_999 }, [deposit])).toEqual({ refusal: 'exceeds_reference' });
    expect(decide(command, [deposit, refund])).toEqual({ refusal: 'invalid_state' });
  });

  const owing = (amount: number) => ({ bucket: 'system', account: 'receivables', currency: 'BRL', amount });

  test('that fails goes back to the balance, and frees its deposit', () => {
    expect(decide({ kind: 'reverse-refund', amount: 2_000 }, [refund, deposit])).toEqual({
      postings: [refunded(2_000), owing(0), provider(-2_000)],
      references: [reversed, { ...deposit, committed: 0 }],
    });
  });

  test('that was carried out after all and came back is credited what was debited, and the rest is not owed any more', () => {
    const redebited = { ...refund, state: 'redebited', shortfall: 1_500 } as const;
    expect(decide({ kind: 'reverse-refund', amount: 2_000 }, [redebited, deposit])).toEqual({
      postings: [refunded(500), owing(1_500), provider(-2_000)],
      references: [reversed, { ...deposit, committed: 0 }],
    });
    expect(decide({ kind: 'reverse-refund', amount: 2_000 }, [reversed, deposit])).toEqual({
      refusal: 'invalid_state',
    });
  });

  test('that is carried out after all is taken from what is there; the rest is owed', () => {
    expect(decide({ kind: 'redebit-refund', amount: 2_000 }, [reversed, deposit], 500)).toEqual({
      postings: [refunded(-500), owing(-1_500), provider(2_000)],
      references: [
        { ...refund, state: 'redebited', shortfall: 1_500 },
        { ...deposit, committed: 4_000 },
      ],
      amounts: { debited: 500, shortfall: 1_500 },
    });
    expect(decide({ kind: 'redebit-refund', amount: 2_000 }, [reversed, deposit], 9_000)).toMatchObject({
      amounts: { debited: 2_000, shortfall: 0 },
    });
  });

  test.each(['reverse-refund', 'redebit-refund'] as const)('is the whole one of its deposit for %s', (kind) => {
    const found = { ...refund, state: kind === 'reverse-refund' ? 'reserved' : 'reversed' } as const;
    const other = { ...found, depositId: 'dep_2' };
    expect(decide({ kind, amount: 2_000 }, [deposit])).toEqual({ refusal: 'unknown_reference' });
    expect(decide({ kind, amount: 2_000 }, [found])).toEqual({ refusal: 'unknown_reference' });
    expect(decide({ kind, amount: 2_000 }, [other, deposit])).toEqual({ refusal: 'unknown_reference' });
    const mismatch = { refusal: 'currency_mismatch' };
    expect(decide({ kind, amount: 2_000 }, [{ ...found, currency: 'MXN' }, deposit])).toEqual(mismatch);
    expect(decide({ kind, amount: 2_000 }, [found, { ...deposit, currency: 'MXN' }])).toEqual(mismatch);
    expect(decide({ kind, amount: 1_999 }, [found, deposit])).toEqual({ refusal: 'exceeds_reference' });
    expect(decide({ kind, amount: 2_000 }, [{ ...found, state: 'held' }, deposit])).toEqual({
      refusal: 'invalid_state',
    });
  });

  test('of an orphan receipt waits at the provider, belongs to no merchant, and goes back whole', () => {
    const suspense = (amount: number) => ({ bucket: 'system', account: 'suspense', currency: 'BRL', amount });
    const held = { ...refund, state: 'held' } as const;
    expect(decide({ kind: 'hold-receipt', amount: 2_000 }, [])).toEqual({
      ...{ postings: [provider(-2_000), suspense(2_000)], references: [held] },
    });
    expect(decide({ kind: 'hold-receipt', amount: 2_000 }, [held])).toEqual({ refusal: 'invalid_state' });
    expect(decide({ kind: 'return-receipt', amount: 2_000 }, [held])).toEqual({
      ...{ postings: [suspense(-2_000), provider(2_000)], references: [{ ...held, state: 'returned' }] },
    });
    expect(decide({ kind: 'return-receipt', amount: 1_999 }, [held])).toEqual({ refusal: 'exceeds_reference' });
    expect(decide({ kind: 'return-receipt', amount: 2_000 }, [refund])).toEqual({ refusal: 'invalid_state' });
    expect(decide({ kind: 'return-receipt', amount: 2_000 }, [])).toEqual({ refusal: 'unknown_reference' });
  });
});

test('a conversion and an adjustment leave no record', () => {
  const convert = { kind: 'convert', amount: 5, targetCurrency: 'USDT', targetAmount: 1, conversionId: 'cnv_1' };
  expect(decide(convert, [])).toMatchObject({ references: [] });
  expect(decide({ kind: 'adjust', amount: 5, adjustmentId: 'adj_1' }, [])).toMatchObject({ references: [] });
});
