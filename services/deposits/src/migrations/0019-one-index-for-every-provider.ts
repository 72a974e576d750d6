import type { SqlMigration } from '@gateway/persistence';

/**
 * A charge is found by its reference, whichever provider it is at. The reference comes before the provider: while a young
 * table has no statistics yet, the planner takes (environment, provider) for enough to find one row by.
 */
export const chargesAtEveryProvider: SqlMigration = {
  name: '0019-one-index-for-every-provider',
  indexes: [{ name: 'deposit_at_provider_0019', unique: true, on: 'deposit (environment, reference, provider)' }],
  sql: `
    drop index deposit_at_provider;
    alter index deposit_at_provider_0019 rename to deposit_at_provider;
  `,
};
