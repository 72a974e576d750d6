import { lockAllMatching } from '#src/matching/lock-matching.ts';

/**
 * Forgets what can be read again, so that the readers and the workers of the running service build it anew: facts and
 * matches, and the places of those who read records, ledger and deliveries. Lines are kept as their provider wrote them,
 * with the places of those who read statements (`statement …`), and so is what people have decided, which holds for the
 * same sums again. A reader that is at work finds that its place has moved, and begins anew; places come first, as with
 * the readers.
 */
export const rebuildScript = `
  begin;
  update reading set place = 'null' where name not like 'statement %';
  ${lockAllMatching};
  truncate fact, match;
  update line set subject = null, rule = null where subject is not null;
  commit;
`;
