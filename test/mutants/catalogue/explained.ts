import type { Mutant } from '../mutant.ts';

/** Faults in what says how much is explained, and how soon. */
export const explained: readonly Mutant[] = [
  {
    id: 'RC50',
    file: 'services/reconciler/src/matching/explained-hours.ts',
    replaced: "and explainable_at >= coalesce((select counted_from from explained_since), '-infinity')",
    by: '',
    test: 'services/reconciler/test/explained-share.test.ts',
    named: 'what is matched anew by a rebuild has counted before, and counts once',
    guarantee: 'The share that is explained in time counts every movement once.',
  },
  {
    id: 'RC51',
    file: 'services/reconciler/src/exceptions/read-explained.ts',
    replaced: "where state in ('waiting', 'unexplained', 'proposed') and ${isPromised('match')}",
    by: "where state = 'waiting' and ${isPromised('match')}",
    test: 'services/reconciler/test/explained-share.test.ts',
    named: 'what two operators decide is explained by no side, and open no longer',
    guarantee: 'What is not explained counts against the share until it is.',
  },
];
