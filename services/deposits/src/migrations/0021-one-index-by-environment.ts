import type { SqlMigration } from '@gateway/persistence';

/**
 * Of a deposit's indexes the primary key alone begins with the environment. While a young table has no statistics, the
 * planner takes the environment for enough to find one row by: every index that begins with it is as cheap as the primary
 * key then, the newest of them is chosen, and a prepared statement or a foreign key that was planned so reads the whole
 * table at each use until it is analysed.
 */
export const oneIndexByEnvironment: SqlMigration = {
  name: '0021-one-index-by-environment',
  indexes: [
    { name: 'deposit_at_provider_0021', unique: true, on: 'deposit (reference, environment, provider)' },
    { name: 'deposit_by_state_0021', on: 'deposit (state, environment, account_id, id)' },
    { name: 'deposit_external_id_0021', unique: true, on: 'deposit (external_id, environment, account_id)' },
  ],
  sql: `
    drop index deposit_at_provider;
    alter index deposit_at_provider_0021 rename to deposit_at_provider;
    drop index deposit_by_state;
    alter index deposit_by_state_0021 rename to deposit_by_state;
    alter table deposit
      drop constraint deposit_external_id_once,
      add constraint deposit_external_id_once unique using index deposit_external_id_0021;
  `,
};
