import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import { graded } from '@gateway/providers/testing';
import type { Dependencies } from '#src/dependencies.ts';
import { applyDisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import { finishDisputes } from '#src/dispute/resume-dispute.ts';
import { markOverdue } from '#src/resolution/watch-open-returns.ts';
import { interleavings, type Loss } from './interleavings.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

type DisputeEvent = Parameters<typeof applyDisputeEvent>[2];
type Type = DisputeEvent['type'];

const environment = 'test' as const;
const source = { environment, provider: 'sandbox' };
const startMs = Date.parse('2026-03-04T05:06:08.000Z');

function reportOf(deposit: Deposit, type: Type, second: number): DisputeEvent {
  const at = new Date(startMs + second * 1_000);
  const money = { currency: 'BRL', amount: deposit.amount } as const;
  const dedupeKey = `${type}:${deposit.id}:${second}`;
  return graded('asked', { type, dedupeKey, at, raw: null, disputeRef: deposit.id, e2eId: deposit.e2eId!, money });
}

/** A ledger whose answers, or the questions to it, get lost as the list says. */
function losing(losses: readonly Loss[]): Dependencies {
  let asked = 0;
  const lost = () => new DomainError('SERVICE_UNAVAILABLE', 'the ledger did not answer', { retryAfterSec: 1 });
  return {
    ...stage.dependencies,
    askLedger: async (command, timeoutMs) => {
      const loss = losses[asked++] ?? 'none';
      if (loss === 'question') throw lost();
      const result = await stage.dependencies.askLedger(command, timeoutMs);
      if (loss === 'answer') throw lost();
      return result;
    },
  };
}

async function paid(): Promise<Deposit> {
  const deposit = await stage.paid();
  await stage.give(deposit.accountId, 1_000);
  return deposit;
}

async function lastRound(deposit: Deposit) {
  const rows = await stage.dependencies.database.query<{ state: string; returned: number; blocked: number }>(
    'select state, returned, blocked from dispute where deposit_id = $1 order by round desc',
    [deposit.id],
  );
  return rows[0]!;
}

async function settle(): Promise<void> {
  for (let round = 0; round < 8; round++) {
    stage.passSeconds(400);
    await finishDisputes(stage.dependencies);
  }
}

const balanceOf = ({ accountId }: Deposit) => stage.ledger.books.balanceOf(accountId);

/** What the last word of a provider leaves, when everything before it has been heard. */
function endOf(types: readonly Type[]): 'OPEN' | 'WON' | 'LOST' {
  let end: 'OPEN' | 'WON' | 'LOST' = 'OPEN';
  for (const type of types) {
    if (type === 'dispute.won') end = 'WON';
    else if (type === 'dispute.lost') end = 'LOST';
    else if (end !== 'LOST') end = 'OPEN';
  }
  return end;
}

test("however a provider's words, the ledger's lost answers and sweeps interleave, the last word decides and money moves once", async () => {
  await fc.assert(
    fc.asyncProperty(interleavings, async ({ reports, acts, losses }) => {
      const deposit = await paid();
      const words = reports.map((type, index) => reportOf(deposit, type, index));
      const faulty = losing(losses);
      const report = async (word: DisputeEvent, dependencies: Dependencies) => {
        await applyDisputeEvent(dependencies, source, word, 5_000).catch((error: unknown) => {
          if (!(error instanceof DomainError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
        });
      };
      for (const { kind, which } of acts) {
        if (kind === 'tell') await report(words[which % words.length]!, faulty);
        else {
          stage.passSeconds(400);
          await finishDisputes(faulty);
        }
      }
      // A report is delivered again until it is taken, in the order of the provider.
      for (const word of words) {
        await settle();
        await report(word, stage.dependencies);
      }
      await settle();
      const round = await lastRound(deposit);
      const end = endOf(reports);
      expect(round.state === 'UNDER_ANALYSIS' ? 'OPEN' : round.state).toBe(end);
      const held = end === 'OPEN' ? 10_000 : 0;
      const gone = end === 'LOST' ? 10_000 : 0;
      expect(round).toMatchObject({ blocked: held, returned: gone });
      expect(balanceOf(deposit)).toEqual({ available: 10_850 - held - gone, pending: 0, blocked: held });
    }),
    { numRuns: 60 },
  );
}, 240_000);

describe('a dispute that was lost, then won', () => {
  test('and lost again while the ledger has not answered is told again, and ends lost with the money taken once', async () => {
    const deposit = await paid();
    const report = async (type: Type, second: number, dependencies = stage.dependencies) =>
      await applyDisputeEvent(dependencies, source, reportOf(deposit, type, second), 5_000);
    await report('dispute.lost', 1);
    const afterLoss = balanceOf(deposit);
    await expect(report('dispute.won', 2, losing(['answer']))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const again = { code: 'SERVICE_UNAVAILABLE', message: 'an earlier decision is still being carried out' };
    await expect(report('dispute.lost', 3)).rejects.toMatchObject(again);
    await settle();
    expect(await report('dispute.lost', 3)).toMatchObject({ state: 'LOST', round: 2, returned: 10_000 });
    await settle();
    expect(balanceOf(deposit)).toEqual(afterLoss);
  });

  test('is not lost again by a repetition of the first decision, at its own time or at that of the second', async () => {
    const deposit = await paid();
    const words = [reportOf(deposit, 'dispute.lost', 1), reportOf(deposit, 'dispute.won', 2)];
    for (const word of words) await applyDisputeEvent(stage.dependencies, source, word, 5_000);
    const fair = balanceOf(deposit);
    const repeated = [words[0]!, reportOf(deposit, 'dispute.lost', 2), reportOf(deposit, 'dispute.review', 2)];
    for (const word of repeated) await applyDisputeEvent(stage.dependencies, source, word, 5_000);
    expect(balanceOf(deposit)).toEqual(fair);
    expect(await lastRound(deposit)).toMatchObject({ state: 'WON' });
  });
});

describe('an opening that is told again after the dispute was won', () => {
  test('opens nothing, whatever time it is received at', async () => {
    const deposit = await paid();
    const opening = reportOf(deposit, 'dispute.opened', 1);
    await applyDisputeEvent(stage.dependencies, source, opening, 5_000);
    await applyDisputeEvent(stage.dependencies, source, reportOf(deposit, 'dispute.won', 2), 5_000);
    const later = { ...opening, at: new Date(startMs + 60_000) };
    expect(await applyDisputeEvent(stage.dependencies, source, later, 5_000)).toMatchObject({ round: 1, state: 'WON' });
    expect(balanceOf(deposit)).toMatchObject({ available: 10_850, blocked: 0 });
  });
});

test('a loss that is told three times, each at the time it was received, is one round and takes the money once', async () => {
  const deposit = await paid();
  for (const second of [1, 61, 3_601]) {
    const lost = { ...reportOf(deposit, 'dispute.lost', 1), at: new Date(startMs + second * 1_000) };
    expect(await applyDisputeEvent(stage.dependencies, source, lost, 5_000)).toMatchObject({ round: 1, state: 'LOST' });
  }
  const rounds = 'select round, returned, attention from dispute where deposit_id = $1';
  expect(await stage.dependencies.database.query(rounds, [deposit.id])).toEqual([
    { round: 1, returned: 10_000, attention: null },
  ]);
  expect(balanceOf(deposit)).toEqual({ available: 850, pending: 0, blocked: 0 });
});

test('what was said before a dispute was opened again does not decide the new one', async () => {
  const deposit = await paid();
  const words: [Type, number][] = [
    ['dispute.won', 2],
    ['dispute.review', 3],
    ['dispute.lost', 1],
  ];
  for (const [type, second] of words) {
    await applyDisputeEvent(stage.dependencies, source, reportOf(deposit, type, second), 5_000);
  }
  expect(await lastRound(deposit)).toMatchObject({ state: 'OPEN', blocked: 10_000 });
});

describe('what excludes the record', () => {
  const attentionOf = async ({ id }: Deposit) => {
    const rows = await stage.dependencies.database.query<{ attention: string | null }>(
      'select attention from dispute where deposit_id = $1',
      [id],
    );
    return rows[0]!.attention;
  };

  test.each<[string, Type, number, number]>([
    ['another decision of the same moment', 'dispute.won', 1, 10_000],
    ['a loss of another amount', 'dispute.lost', 2, 4_000],
    ['a new look at what is lost', 'dispute.review', 2, 10_000],
  ])('as %s moves nothing and is for operators', async (_what, type, second, amount) => {
    const deposit = await paid();
    await applyDisputeEvent(stage.dependencies, source, reportOf(deposit, 'dispute.lost', 1), 5_000);
    const after = balanceOf(deposit);
    expect(await attentionOf(deposit)).toBeNull();
    const word = { ...reportOf(deposit, type, second), money: { currency: 'BRL', amount } } as DisputeEvent;
    await applyDisputeEvent(stage.dependencies, source, word, 5_000);
    expect(await attentionOf(deposit)).toBe('contradiction');
    expect(balanceOf(deposit)).toEqual(after);
    expect(await lastRound(deposit)).toMatchObject({ state: 'LOST' });
  });
});

test('a step the ledger does not answer for 25 minutes is for operators, until it is answered', async () => {
  const deposit = await paid();
  const silent = losing(Array<'question'>(200).fill('question'));
  const word = reportOf(deposit, 'dispute.opened', 1);
  await expect(applyDisputeEvent(silent, source, word, 5_000)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const stuck = async () =>
    await stage.dependencies.database.query('select attention from dispute where deposit_id = $1', [deposit.id]);
  for (let minutes = 0; minutes < 20; minutes += 5) {
    stage.passSeconds(300);
    await finishDisputes(silent);
    await markOverdue(silent);
  }
  expect(await stuck()).toEqual([{ attention: null }]);
  stage.passSeconds(300);
  await markOverdue(silent);
  expect(await stuck()).toEqual([{ attention: 'overdue' }]);
  await settle();
  expect(await stuck()).toEqual([{ attention: null }]);
  expect(await lastRound(deposit)).toMatchObject({ state: 'OPEN' });
});

test('the ledger is told to take a shortfall from the credits of 90 days after the opening', async () => {
  const commands: { kind: string; captureUntil?: number }[] = [];
  const listening: Dependencies = {
    ...stage.dependencies,
    askLedger: async (command, timeoutMs) => {
      commands.push(command);
      return await stage.dependencies.askLedger(command, timeoutMs);
    },
  };
  const deposit = await paid();
  const row = await applyDisputeEvent(listening, source, reportOf(deposit, 'dispute.opened', 1), 5_000);
  const openedSec = Math.floor(row.openedAt.getTime() / 1_000);
  expect(commands).toMatchObject([{ kind: 'block-dispute', captureUntil: openedSec + 90 * 86_400 }]);
});
