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
  {
    id: 'RC52',
    file: 'services/reconciler/src/matching/observe-matching.ts',
    replaced: "case when amount < 0 then 'minus' else 'plus' end as sign",
    by: "'plus' as sign",
    test: 'services/reconciler/test/explained-share.test.ts',
    named:
      'alerts are given what is not explained in time, by side and sign, by age and by state, and nothing is netted',
    guarantee: 'Money that came and money that went are measured apart.',
  },
  {
    id: 'RC53',
    file: 'services/reconciler/src/lines/lines-of-records.ts',
    replaced: 'order by about."recordId", line.booked_at, line.line_key',
    by: 'order by about."recordId", line.line_key',
    test: 'services/reconciler/test/shown-lines.test.ts',
    named:
      'a record is shown with its line: of several the first that was booked, and none of test mode or without one',
    guarantee: 'A finding is shown beside the line by which its record moved first.',
  },
];
