import type { SqlMigration } from '@gateway/persistence';

/** Transfers of our own that have no line yet, and lines that may be theirs, are few among all matches. */
export const ownTransfers: SqlMigration = {
  name: '0008-own-transfers',
  indexes: [
    {
      name: 'match_own_transfer',
      on: `match (provider, currency) where kind in ('own_transfer', 'other') and state in ('waiting', 'unexplained')`,
    },
  ],
};
