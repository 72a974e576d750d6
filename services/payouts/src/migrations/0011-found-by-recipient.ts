import type { SqlMigration } from '@gateway/persistence';

/** Operators find the payouts to a person or to a key. Neither changes after the creation, so later changes stay in place. */
export const foundByRecipient: SqlMigration = {
  name: '0011-found-by-recipient',
  indexes: [
    { name: 'payout_by_recipient', on: `payout ((recipient ->> 'document'), id)` },
    { name: 'payout_by_key', on: 'payout (key, id)' },
  ],
};
