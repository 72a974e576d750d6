import { describe, expect, test, vi } from 'vitest';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import { requestOf } from '#src/chain/canonical-request.ts';
import { genesisHash } from '#src/chain/link.ts';
import { apply, type KnownRecords } from '#src/decision/apply.ts';
import { captureShortfalls } from '#src/decision/capture-shortfalls.ts';
import { conflictResult } from '#src/decision/decision.ts';
import type { DisputeReference, PayoutReference, Reference, ShortReference } from '#src/posting/reference.ts';
import type { RuleResult } from '#src/posting/rule.ts';
import * as rules from '#src/posting/rules/rules.ts';
import type { MerchantBalance } from '#src/state/balances.ts';
import { LedgerState } from '#src/state/ledger-state.ts';
import { baseOf, Overlay } from '#src/state/overlay.ts';

const owner = { accountId: 'acc_1', currency: 'BRL' } as const;
const head = { sequence: 4, hash: genesisHash, decidedAtMs: 1 };
const balance: MerchantBalance = { ...owner, available: 1_000, pending: 0, blocked: 0, entries: 6, version: 3 };
const dispute: DisputeReference = {
  ...{ kind: 'dispute', id: 'med_1', ...owner, amount: 700, depositId: 'dep_1', state: 'open' },
  ...{ blocked: 200, shortfall: 500, captureUntil: 9, returned: 0, provider: null },
};
const payout: PayoutReference = {
  ...{ kind: 'payout', id: 'pyt_1', ...owner, amount: 300, fee: 10, state: 'settled', returned: 0, shortfall: 400 },
};

function stateOf(short: readonly ShortReference[] = [], balances: readonly MerchantBalance[] = [balance]) {
  const fees = { account: 'fees', currency: 'BRL', amount: 5, version: 8 } as const;
  const state = new LedgerState(head, [fees], short);
  state.rememberAccounts([owner.accountId], balances);
  state.rememberProviders(['efi']);
  return state;
}

const credit = {
  ...{ kind: 'credit-deposit', id: 'credit-deposit:dep_1', environment: 'test', ...owner, depositId: 'dep_1' },
  ...{ provider: 'efi', amount: 100, fee: 1, releaseAt: null },
} as LedgerCommand;
const adjust = (amount: number, id = 'adjust:1') =>
  ({ kind: 'adjust', id, environment: 'test', ...owner, adjustmentId: 'adj_1', amount }) as LedgerCommand;

function applied(state: LedgerState, commands: readonly LedgerCommand[], references: readonly Reference[] = []) {
  const known: KnownRecords = {
    decided: new Map(),
    references: new Map(references.map((reference) => [reference.id, reference])),
  };
  let entries = 0;
  const context = { atMs: 2_000, newEntryId: () => `led_${++entries}` };
  return apply({ environment: 'test', shard: 0 }, state, known, commands.map(requestOf), context);
}

describe('what a batch changes', () => {
  test('is each balance once, as it is afterwards, one version on', () => {
    const { change } = applied(stateOf(), [credit, adjust(7)]);
    expect(change.merchants).toEqual([{ ...balance, available: 1_106, entries: 8, version: 4 }]);
    expect(change.systems).toEqual([
      { account: 'fees', currency: 'BRL', amount: 6, version: 9 },
      { account: 'provider:efi', currency: 'BRL', amount: -100, version: 1 },
      { account: 'suspense', currency: 'BRL', amount: -7, version: 1 },
    ]);
    expect(change.head).toMatchObject({ sequence: 6, decidedAtMs: 2_000 });
  });

  test('is a new record where none was found, and none where it was known, or remembered for its shortfall', () => {
    expect([...applied(stateOf(), [credit]).change.newReferences]).toEqual(['dep_1']);
    const known: Reference = {
      ...{ kind: 'deposit', id: 'dep_1', ...owner, amount: 100, pending: 100, releaseAt: 1, committed: 0 },
    };
    const release = { ...credit, kind: 'release-pending', id: 'release-pending:dep_1', amount: 100 } as LedgerCommand;
    const pending = { ...balance, pending: 100 };
    expect([...applied(stateOf([], [pending]), [release], [known]).change.newReferences]).toEqual([]);
    const { change } = applied(stateOf([payout]), [credit]);
    expect(change.references.map(({ id }) => id)).toEqual(['dep_1', 'pyt_1']);
    expect([...change.newReferences]).toEqual(['dep_1']);
    const debit = { ...credit, kind: 'debit-payout', id: 'debit-payout:pyt_2', payoutId: 'pyt_2' } as LedgerCommand;
    expect([...applied(stateOf(), [debit]).change.newReferences]).toEqual(['pyt_2']);
  });

  test('is remembered by command id, for the batch behind it', () => {
    const request = requestOf(adjust(7));
    const { decided, answers } = applied(stateOf(), [request.command]);
    expect([...decided]).toEqual([
      ['adjust:1', { requestHash: request.hash, request: request.command, result: answers[0] }],
    ]);
  });
});

describe('a command', () => {
  test('numbers its entries on from those of its balance, in its order', () => {
    const { decisions } = applied(stateOf(), [adjust(7), adjust(8, 'adjust:2')]);
    expect(
      decisions.map(({ entries }) => entries.map(({ id, number, balanceAfter }) => [id, number, balanceAfter])),
    ).toEqual([[['led_1', 7, 1_007]], [['led_2', 8, 1_015]]]);
  });

  test('of another body under a decided id is answered with the member that differs, and nothing else', () => {
    expect(conflictResult('adjust:1', 'amount')).toEqual({
      ...{ commandId: 'adjust:1', outcome: 'conflict', refusal: null, field: 'amount' },
      ...{ balances: [], amounts: {}, replayed: false, link: null },
    });
  });

  test('that is refused has the balance as it was, and wrote nothing', () => {
    const { decisions } = applied(stateOf(), [adjust(-1_001)]);
    expect(decisions).toMatchObject([
      { outcome: 'refused', refusal: 'insufficient_funds', postings: [], entries: [], alsoChanged: [] },
    ]);
    expect(decisions[0]?.balances).toEqual([{ currency: 'BRL', available: 1_000, pending: 0, blocked: 0 }]);
  });

  test.each([
    ['available alone', { available: Number.MAX_SAFE_INTEGER }],
    ['with what is pending', { available: 1, pending: Number.MAX_SAFE_INTEGER - 1 }],
    ['with what is blocked', { available: 1, blocked: Number.MAX_SAFE_INTEGER - 1 }],
  ])('does not lift a balance above what is counted exactly, %s', (_what, buckets) => {
    const full = { ...balance, ...buckets };
    expect(applied(stateOf([], [full]), [adjust(1)]).answers).toMatchObject([{ refusal: 'balance_overflow' }]);
    expect(applied(stateOf([], [full]), [adjust(-1)]).answers).toMatchObject([{ outcome: 'applied' }]);
  });

  test('does not lift an account of our own above it either', () => {
    const fees = { account: 'fees', currency: 'BRL', amount: Number.MAX_SAFE_INTEGER, version: 8 } as const;
    const state = new LedgerState(head, [fees], []);
    state.rememberAccounts([owner.accountId], [balance]);
    state.rememberProviders(['efi']);
    expect(applied(state, [credit]).answers).toMatchObject([{ refusal: 'balance_overflow' }]);
  });

  test.each(['available', 'pending', 'blocked'] as const)('takes no more than there is of %s', (bucket) => {
    const taken = {
      bucket,
      ...owner,
      amount: -1,
      entry: { type: 'ADJUSTMENT', refType: 'adjustment', refId: 'adj_1' },
    };
    const given = { bucket: 'system', account: 'suspense', currency: 'BRL', amount: 1 };
    ruled({ postings: [taken, given], references: [] });
    const empty = { ...balance, available: 0 };
    expect(applied(stateOf([], [empty]), [adjust(1)]).answers).toMatchObject([{ refusal: 'insufficient_funds' }]);
  });

  test('whose rule does not balance, in one currency of two, stops the writer', () => {
    const leg = (currency: string, amount: number) => ({ bucket: 'system', account: 'fx', currency, amount });
    ruled({ postings: [leg('BRL', 5), leg('BRL', -5), leg('USDT', 1), leg('USDT', 1)], references: [] });
    expect(() => applied(stateOf(), [adjust(1)])).toThrow('adjust adjust:1 is out of balance by 2 USDT');
    ruled({ postings: [leg('BRL', 5), leg('BRL', -5), leg('USDT', 1), leg('USDT', -1)], references: [] });
    expect(applied(stateOf(), [adjust(1)]).answers).toMatchObject([{ outcome: 'applied' }]);
  });
});

/** The next command is decided by this rule instead of its own. */
function ruled(result: object): void {
  vi.spyOn(rules, 'evaluate').mockReturnValueOnce(result as RuleResult);
}

vi.mock('#src/posting/rules/rules.ts', { spy: true });

describe('a credit', () => {
  const capture = (available: number, short: readonly ShortReference[]) => {
    const state = stateOf(short, [{ ...balance, available }]);
    return captureShortfalls(new Overlay(baseOf(state, new Map())), owner);
  };
  const repaid = (amount: number, type: string) => {
    return { bucket: 'available', ...owner, amount, entry: { type, refType: 'payout', refId: 'pyt_1' } };
  };
  const receivables = (amount: number) => ({ bucket: 'system', account: 'receivables', currency: 'BRL', amount });
  const blockedBy = (amount: number) => {
    const entry = { type: 'MED_BLOCK', refType: 'dispute', refId: 'med_1' };
    return { bucket: 'available', ...owner, amount, entry };
  };

  test('pays what is owed first, then what a dispute lacks, as far as it goes', () => {
    expect(capture(600, [dispute, payout])).toEqual({
      postings: [
        repaid(-390, 'PAYOUT'),
        repaid(-10, 'PAYOUT_FEE'),
        receivables(400),
        blockedBy(-200),
        { bucket: 'blocked', ...owner, amount: 200 },
      ],
      references: [
        { ...payout, shortfall: 0 },
        { ...dispute, blocked: 400, shortfall: 300 },
      ],
    });
  });

  test('pays a part of what is owed, and nothing behind it', () => {
    expect(capture(100, [dispute, payout])).toMatchObject({ references: [{ id: 'pyt_1', shortfall: 300 }] });
    expect(capture(400, [dispute, payout]).references).toHaveLength(1);
    expect(capture(0, [dispute, payout])).toEqual({ postings: [], references: [] });
  });

  test('pays the payer of a dispute that is lost, through its provider', () => {
    const lost = { ...dispute, state: 'lost', provider: 'efi', blocked: 0, returned: 200 } as const;
    expect(capture(600, [lost])).toEqual({
      postings: [blockedBy(-500), { bucket: 'system', account: 'provider:efi', currency: 'BRL', amount: 500 }],
      references: [{ ...lost, returned: 700, shortfall: 0 }],
    });
  });

  test('pays, and what was taken or held pays nothing', () => {
    const answers = (command: LedgerCommand, state = stateOf([dispute], [{ ...balance, pending: 100 }])) =>
      applied(state, [command]).decisions.map(({ alsoChanged }) => alsoChanged);
    expect(answers(adjust(7))).toEqual([[{ ...dispute, blocked: 700, shortfall: 0 }]]);
    expect(answers(adjust(-7))).toEqual([[]]);
    expect(answers({ ...credit, releaseAt: 9 } as LedgerCommand)).toEqual([[]]);
  });
});
