import type { Mutant } from '../mutant.ts';

export const providers: readonly Mutant[] = [
  {
    id: 'R04',
    file: 'packages/providers/src/woovi/payouts.ts',
    replaced:
      "return { kind: 'unknown', cause: `rejected with ${rejected.status}, and ${found.cause}`, providerRef: ref };",
    by: 'return refusal(rejected);',
    test: 'packages/providers/test/answers-that-differ.test.ts',
    named: 'whose rejection cannot be looked into is unknown, never refused',
    guarantee: 'A rejection whose look-up fails is unknown, so that no debit is reversed.',
  },
  {
    id: 'R05',
    file: 'packages/providers/src/bacen/feeds.ts',
    replaced: 'page + 1 < Math.min',
    by: 'page + 2 < Math.min',
    test: 'packages/providers/test/feeds.test.ts',
    named: 'are asked for one after the other, to the last of three',
    guarantee: 'The last page of a list is read.',
  },
  {
    id: 'R80',
    file: 'packages/providers/src/differs.ts',
    replaced: 'if (amount !== record.money.amount) return',
    by: 'if (amount === 0) return',
    test: 'packages/providers/test/answers-that-differ.test.ts',
    named: 'is unknown, never paid',
    guarantee: 'An answer for another amount settles nothing.',
  },
];
