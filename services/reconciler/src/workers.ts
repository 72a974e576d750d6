import type { DueWorker } from '@gateway/persistence';
import { enterStoredLines, linesNotEntered, type MatchingDependencies } from '#src/matching/items-arrived.ts';
import { sweep, sweepDue } from '#src/matching/sweep.ts';

/** What the reconciler does when its time has come. */
export function dueWorkers(dependencies: MatchingDependencies): DueWorker[] {
  return [
    { name: 'matches', firstDue: sweepDue, work: () => sweep(dependencies) },
    { name: 'lines to match', firstDue: linesNotEntered, work: () => enterStoredLines(dependencies) },
  ];
}
