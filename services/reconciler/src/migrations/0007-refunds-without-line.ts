import type { SqlMigration } from '@gateway/persistence';

/** What is asked again: refunds whose line has not come, which are few at a time. */
export const refundsWithoutLine: SqlMigration = {
  name: '0007-refunds-without-line',
  indexes: [
    {
      name: 'match_refund_without_line',
      on: `match (environment, first_seen_at, subject) where state = 'waiting' and kind = 'refund' and p_items = 0`,
    },
  ],
};
