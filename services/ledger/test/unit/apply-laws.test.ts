import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ledgerCommandSchema, type LedgerCommand, type LedgerResult } from '@gateway/contracts/ledger';
import { commandBatches, testClockSec } from '../model/arbitrary-commands.ts';
import { PureLedger } from '../model/pure-ledger.ts';
import { ReferenceLedger } from '../model/reference-ledger.ts';

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

const law = (check: (batches: LedgerCommand[][]) => void) => {
  fc.assert(fc.property(commandBatches, check), { numRuns: 300 });
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
