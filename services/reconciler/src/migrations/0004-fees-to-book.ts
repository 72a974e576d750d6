import type { SqlMigration } from '@gateway/persistence';

/** The fees that are to be booked are found among all matches, three times a minute. */
export const feesToBook: SqlMigration = {
  name: '0004-fees-to-book',
  indexes: [
    {
      name: 'match_fee_to_book',
      on: `match (first_seen_at, subject) where environment = 'live' and kind = 'provider_fee' and l_items = 0`,
    },
  ],
};
