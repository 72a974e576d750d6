import type { Mutant } from '../mutant.ts';

export const ledger: readonly Mutant[] = [
  {
    id: 'L01',
    file: 'services/ledger/src/chain/link.ts',
    replaced: '    amounts,',
    by: '',
    test: 'services/ledger/src/chain/link.test.ts',
    named: 'a link covers',
    guarantee: 'The hash of a result covers its amounts.',
  },
  {
    id: 'L04',
    file: 'services/ledger/src/posting/rules/block-dispute.ts',
    replaced: 'Math.max(deposit.amount - deposit.committed, 0)',
    by: 'deposit.amount',
    test: 'services/ledger/test/disputes-and-retention.test.ts',
    named: 'a dispute over a deposit that was refunded in part blocks at most what is left of it',
    guarantee: 'Refunds and disputes together never take more than was paid.',
  },
  {
    id: 'L09',
    file: 'services/ledger/src/statement/get-balance.ts',
    replaced: '`${environment} ${accountId}`',
    by: '`${accountId}`',
    test: 'services/ledger/test/statement.test.ts',
    named: 'in live and in test, read in the same context, are each their own',
    guarantee: 'A balance is read in its own environment.',
  },
  {
    id: 'L11',
    file: 'services/ledger/src/statement/list-entries.ts',
    replaced: 'cursor === undefined || upper < cursor ? upper : cursor',
    by: 'cursor ?? upper',
    test: 'services/ledger/test/statement.test.ts',
    named: 'ends at `to` whatever cursor it is read from',
    guarantee: 'A cursor does not widen the range that was asked for.',
  },
];
