import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Interleaving, interleavings } from '../interleavings.ts';

/*
 * What the random runs of dispute-interleavings.test.ts reach, counted over the runs of one seed: a change of the generator
 * that loses a state fails here. docs/reliability.md has the table.
 */
const runs = 300;
const seed = 1;

/** The least share of runs that has to reach a state, in per cent, and what reaches it. */
const milestones: Readonly<Record<string, readonly [number, (run: Interleaving) => boolean]>> = {
  'a dispute is won': [50, ({ reports }) => reports.includes('dispute.won')],
  'a dispute is lost': [50, ({ reports }) => reports.includes('dispute.lost')],
  'won after it was lost': [12, ({ reports }) => hasAfter(reports, 'dispute.lost', 'dispute.won')],
  'opened again after it was won': [12, ({ reports }) => hasAfter(reports, 'dispute.won', 'dispute.opened')],
  'a decision overtakes the opening': [50, ({ reports }) => reports[0] !== 'dispute.opened'],
  'a later report arrives before an earlier one': [
    40,
    (run) => arrivalsOf(run).some((at, index, all) => at < (all[index - 1] ?? 0)),
  ],
  'a report arrives again': [40, (run) => new Set(arrivalsOf(run)).size < arrivalsOf(run).length],
  'the sweeper runs between two reports': [
    30,
    ({ acts }) => /tell.*sweep.*tell/.test(acts.map(({ kind }) => kind).join(' ')),
  ],
  'the answer of the ledger is lost': [50, ({ losses, acts }) => losses.includes('answer') && acts.length > 0],
  'a question to the ledger is lost': [50, ({ losses, acts }) => losses.includes('question') && acts.length > 0],
};

/** The reports in the order they arrive, by their places at the provider. */
function arrivalsOf({ reports, acts }: Interleaving): number[] {
  return acts.flatMap(({ kind, which }) => (kind === 'tell' ? [which % reports.length] : []));
}

function hasAfter<Item>(items: readonly Item[], first: Item, second: Item): boolean {
  return items.includes(first) && items.lastIndexOf(second) > items.indexOf(first);
}

test('of the random interleavings of reports, lost answers and sweeps, enough reach each state that they are made for', () => {
  const sample = fc.sample(interleavings, { seed, numRuns: runs });
  const shares = Object.entries(milestones).map(([name, [least, isReached]]) => {
    const share = Math.round((sample.filter(isReached).length / runs) * 100);
    return { name, share, least };
  });
  expect(shares.filter(({ share, least }) => share < least)).toEqual([]);
});
