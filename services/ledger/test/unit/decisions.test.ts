import { describe, expect, test } from 'vitest';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import { firstDifference } from '#src/chain/canonical-request.ts';
import { invalidCommandResult } from '#src/decision/decision.ts';
import { block, clockSec, common, credit, lapse, later, spend, type Part } from '../model/examples.ts';
import { PureLedger } from '../model/pure-ledger.ts';

const commandOf = (id: string, part: Part) => ({ ...common, id, ...part }) as unknown as LedgerCommand;

function decide(ledger: PureLedger, parts: readonly Part[], atSec = clockSec) {
  return ledger.applyAll(
    parts.map((part, index) => commandOf(`${part.kind}:${atSec}:${index}`, part)),
    atSec,
  );
}

describe('an answer', () => {
  test('to an applied command has the balances that it changed, and the amounts that the ledger decided', () => {
    const { answers } = decide(new PureLedger(), [credit, { ...block, amount: 60 }]);
    expect(answers).toMatchObject([
      { outcome: 'applied', refusal: null, balances: [{ currency: 'BRL', available: 97, pending: 0, blocked: 0 }] },
      { outcome: 'applied', balances: [{ available: 37, blocked: 60 }], amounts: { blocked: 60 }, replayed: false },
    ]);
  });

  test('to a refused command has the balance that it was refused for', () => {
    const { answers } = decide(new PureLedger(), [credit, { ...spend, amount: -98 }]);
    expect(answers[1]).toMatchObject({
      outcome: 'refused',
      refusal: 'insufficient_funds',
      balances: [{ currency: 'BRL', available: 97, pending: 0, blocked: 0 }],
      amounts: {},
    });
  });

  test('to a command for a provider that is not registered is a refusal that is no decision', () => {
    const ledger = new PureLedger();
    const { answers, decisions } = decide(ledger, [{ ...credit, provider: 'another' }]);
    expect(answers).toMatchObject([
      {
        ...{ outcome: 'refused', refusal: 'unknown_provider', field: 'provider', replayed: false },
        ...{ balances: [], amounts: {} },
      },
    ]);
    expect(decisions).toEqual([]);
    expect(decide(ledger, [credit]).answers).toMatchObject([{ outcome: 'applied' }]);
  });

  test('to a command that cannot be read names what it is refused for', () => {
    for (const field of ['amount', null]) {
      expect(invalidCommandResult('adjust:1', field)).toMatchObject({
        ...{ commandId: 'adjust:1', outcome: 'refused', refusal: 'invalid_command', field },
        ...{ balances: [], amounts: {}, replayed: false },
      });
    }
  });

  test('to another body under a decided id is a conflict that names the first member that differs', () => {
    const ledger = new PureLedger();
    const send = (part: Part) => ledger.applyAll([commandOf('credit-deposit:1', part)], clockSec).answers[0];
    send(credit);
    expect(send({ ...credit, amount: 101, fee: 4 })).toMatchObject({ outcome: 'conflict', field: 'amount' });
    expect(send(credit)).toMatchObject({ outcome: 'applied', replayed: true });
    const same = commandOf('credit-deposit:1', credit);
    expect(() => firstDifference(same, { ...same })).toThrow('does not differ');
    expect(firstDifference(same, { ...same, note: 'x' })).toBe('note');
  });
});

describe('a decision', () => {
  test('has the next number of the chain and the time it was made at, in its entries too', () => {
    const ledger = new PureLedger();
    const { decisions } = decide(ledger, [credit, later]);
    expect(decisions.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(ledger.state.head).toMatchObject({ sequence: 2, hash: decisions[1]?.hash, decidedAtMs: clockSec * 1_000 });
    expect(decisions.flatMap(({ entries }) => entries.map(({ createdAt }) => createdAt))).toEqual([clockSec, clockSec]);
  });

  test('adds to our own accounts what it posts to them', () => {
    const ledger = new PureLedger();
    decide(ledger, [credit, { ...credit, depositId: 'dep_2', fee: 4 }]);
    expect(ledger.state.system('fees', 'BRL')).toMatchObject({ amount: 7 });
    expect(ledger.state.system('provider:sandbox', 'BRL')).toMatchObject({ amount: -200 });
  });

  test('publishes the records whose shortfall a credit paid or that lapsed, and no other', () => {
    const ledger = new PureLedger();
    const changed = (parts: readonly Part[], atSec?: number) =>
      decide(ledger, parts, atSec).decisions.map(({ alsoChanged }) => alsoChanged.map(({ id }) => id));
    expect(changed([credit, spend, block, later])).toEqual([[], [], [], ['med_1']]);
    expect(changed([{ ...spend, amount: -1_000 }], clockSec + 1)).toEqual([[]]);
    expect(changed([lapse], clockSec + 100)).toEqual([['med_1']]);
  });
});
