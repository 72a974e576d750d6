import type { DueWorker } from '@gateway/persistence';
import { sweep, sweepDue, type MatchingDependencies } from '#src/matching/sweep.ts';

/** What the reconciler does when its time has come. */
export function dueWorkers(dependencies: MatchingDependencies): DueWorker[] {
  return [{ name: 'matches', firstDue: sweepDue, work: () => sweep(dependencies) }];
}
