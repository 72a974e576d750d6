import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ledgerCommandSchema, type LedgerCommand, type LedgerResult } from '@gateway/contracts/ledger';
import { requestOf } from '#src/chain/canonical-request.ts';
import { genesisHash } from '#src/chain/link.ts';
import { apply, type BatchOutcome, type EarlierDecision } from '#src/decision/apply.ts';
import type { Decision } from '#src/decision/decision.ts';
import type { Reference } from '#src/posting/reference.ts';
import { LedgerState } from '#src/state/ledger-state.ts';
import { commandBatches, testClockSec } from '../model/arbitrary-commands.ts';
import { ReferenceLedger } from '../model/reference-ledger.ts';

const shard = { environment: 'test', shard: 0 };

/** The pure ledger with a memory that forgets nothing: what PostgreSQL is to the writer. */
class PureLedger {
  readonly state = new LedgerState({ sequence: 0, hash: genesisHash, decidedAtMs: 0 }, [], []);
  readonly decided = new Map<string, EarlierDecision>();
  readonly references = new Map<string, Reference>();
  readonly decisions: Decision[] = [];
  #entries = 0;

  constructor() {
    this.state.rememberProviders(['sandbox']);
  }

  applyAll(commands: readonly LedgerCommand[], atSec: number): BatchOutcome {
    this.state.rememberAccounts(
      commands.map((command) => command.accountId).filter((id) => !this.state.knowsAccount(id)),
      [],
    );
    const known = { decided: this.decided, references: this.references };
    const newEntryId = () => `led_${String(++this.#entries).padStart(26, '0')}`;
    const outcome = apply(shard, this.state, known, commands.map(requestOf), { atMs: atSec * 1_000, newEntryId });
    this.state.apply(outcome.change);
    for (const reference of outcome.change.references) this.references.set(reference.id, reference);
    for (const decision of outcome.decisions) {
      this.decisions.push(decision);
      const answer = outcome.answers.find((each) => each.commandId === decision.command.id);
      if (!answer) throw new Error(`no answer for ${decision.command.id}`);
      const { requestHash, command } = decision;
      this.decided.set(command.id, { requestHash, request: { ...command }, result: answer });
    }
    return outcome;
  }
}

/** Runs the batches, a minute apart, and shows each answer with its command. */
function run(batches: LedgerCommand[][], see: (command: LedgerCommand, answer: LedgerResult, atSec: number) => void) {
  const ledger = new PureLedger();
  batches.forEach((batch, index) => {
    const atSec = testClockSec + index * 10;
    const { answers } = ledger.applyAll(batch, atSec);
    batch.forEach((command, position) => {
      const answer = answers[position];
      if (!answer) throw new Error('an answer is missing');
      see(command, answer, atSec);
    });
  });
  return ledger;
}

/** Fewer where the laws are run once for each of many faults. */
const lawRuns = Number(process.env['LEDGER_LAW_RUNS'] ?? 300);

const law = (check: (batches: LedgerCommand[][]) => void) => {
  fc.assert(fc.property(commandBatches, check), { numRuns: lawRuns });
};

describe('after any sequence of commands, duplicates, conflicts and refusals', () => {
  test('every answer is that of the reference ledger', () => {
    law((batches) => {
      const model = new ReferenceLedger();
      run(batches, (command, answer, atSec) => {
        expect(ledgerCommandSchema.safeParse(command).success).toBe(true);
        const expected = model.decide(command, atSec);
        expect({ command, ...pick(answer) }).toEqual({ command, ...expected });
        if (answer.outcome === 'conflict' || answer.replayed) return;
        for (const { currency, ...buckets } of answer.balances) {
          expect(buckets).toEqual(model.balance(command.accountId, currency));
        }
      });
    });
  });

  test('postings sum to zero per currency, in every decision', () => {
    law((batches) => {
      for (const { postings } of run(batches, () => undefined).decisions) {
        const sums = Map.groupBy(postings, (posting) => posting.currency);
        for (const legs of sums.values()) expect(legs.reduce((sum, leg) => sum + leg.amount, 0)).toBe(0);
      }
    });
  });

  test('no bucket is ever negative', () => {
    law((batches) => {
      run(batches, (_command, answer) => {
        for (const { available, pending, blocked } of answer.balances) {
          expect(Math.min(available, pending, blocked)).toBeGreaterThanOrEqual(0);
        }
      });
    });
  });

  test('entries number every movement of available, and chain its running balance', () => {
    law((batches) => {
      const { decisions, state } = run(batches, () => undefined);
      const entries = decisions.flatMap((decision) => decision.entries);
      for (const own of Map.groupBy(entries, (entry) => `${entry.accountId} ${entry.currency}`).values()) {
        let running = 0;
        own.forEach((entry, index) => {
          running += entry.amount;
          expect(entry).toMatchObject({ number: index + 1, balanceAfter: running });
        });
        const [first] = own;
        if (first) expect(state.merchant(first.accountId, first.currency).available).toBe(running);
      }
    });
  });

  test('a refusal changes nothing', () => {
    law((batches) => {
      for (const decision of run(batches, () => undefined).decisions) {
        if (decision.outcome === 'refused') expect([decision.postings, decision.entries]).toEqual([[], []]);
      }
    });
  });

  test('the whole sequence again changes nothing and answers the same', () => {
    law((batches) => {
      const first = new Map<string, LedgerResult>();
      const ledger = run(batches, (command, answer) => {
        if (answer.outcome !== 'conflict' && !answer.replayed) first.set(command.id, answer);
      });
      const { head } = ledger.state;
      for (const command of batches.flat()) {
        const { answers, decisions } = ledger.applyAll([command], testClockSec + 1_000_000);
        expect(decisions).toEqual([]);
        const [answer] = answers;
        if (answer?.outcome !== 'conflict') expect(answer).toEqual({ ...first.get(command.id), replayed: true });
      }
      expect(ledger.state.head).toEqual(head);
    });
  });

  test('how commands fall into batches makes no difference', () => {
    law((batches) => {
      const commands = batches.flat();
      const [together, apart] = [new PureLedger(), new PureLedger()];
      together.applyAll(commands, testClockSec);
      for (const command of commands) apart.applyAll([command], testClockSec);
      expect(apart.state.head).toEqual(together.state.head);
    });
  });
});

function pick({ outcome, refusal }: LedgerResult) {
  return { outcome, refusal };
}
