import type { Mutant } from '../mutant.ts';

const changed = 'services/ledger/test/changed-rows.test.ts';
const months = 'services/ledger/test/month-file.test.ts';

/** What closes months, moves them out of the database, and finds what was changed in them. */
export const chapters: readonly Mutant[] = [
  {
    id: 'M1',
    file: 'services/ledger/src/chapters/close-chapter.ts',
    replaced: 'if (atMs < endOfMonth(month)) return undefined;',
    by: '',
    test: 'services/ledger/test/chapters.test.ts',
    named: 'a chapter that was proposed by a clock that is ahead is not closed before its month has ended',
    guarantee: 'No decision of a month comes behind the link that closes it, whichever clock was ahead.',
  },
  {
    id: 'M2',
    file: 'services/ledger/src/chapters/move-month.ts',
    replaced: "if (await isThere(query, 'result', month)) await keepAnswers(query, month);",
    by: '',
    test: months,
    named: 'a command of a month that was detached, sent again, gets the answer it had',
    guarantee: 'The answer to a command is the same for good, also when its month is out of the database.',
  },
  {
    id: 'M3',
    file: 'services/ledger/src/writer/find-known.ts',
    replaced: 'if (outcome === null)\n    throw',
    by: 'if (outcome !== outcome)\n    throw',
    test: months,
    named: 'a command whose answer is nowhere is set aside',
    guarantee:
      'A command that was decided, and whose answer is gone, is answered with nothing that could be taken for one.',
  },
  {
    id: 'M4',
    file: 'services/ledger/src/chapters/month-file.ts',
    replaced: ' and not inhdetachpending',
    by: '',
    test: months,
    named: 'a detachment that was interrupted is finished',
    guarantee: 'A month whose detachment was interrupted is known to be in its file.',
  },
  {
    id: 'M5',
    file: 'services/ledger/src/chain/stray-entries.ts',
    replaced: 'if (counted?.count === entries) return undefined;',
    by: 'if (counted) return undefined;',
    test: changed,
    named: 'an entry without a result is named',
    guarantee: 'An entry that no decision has is found and named.',
  },
  {
    id: 'M6',
    file: 'services/ledger/src/chain/link.ts',
    replaced: 'isJsonObject(link.request) ? requestHashOf(canonicalRequest(link.request)) : null',
    by: 'requestHashOf(canonicalRequest(link.request))',
    test: changed,
    named: 'a value of another form names the broken link',
    guarantee: 'A row that was changed to anything is named as the broken link.',
  },
  {
    id: 'M7',
    file: 'services/ledger/src/reconciliation/verify-chapter.ts',
    replaced: 'order by walked_at nulls first, month`',
    by: 'order by verified_at is not null, walked_at nulls first, month`',
    test: changed,
    named: 'a chapter that stays unsound takes no turn of another one',
    guarantee: 'Every chapter has its turn, whatever is wrong with another one.',
  },
];
