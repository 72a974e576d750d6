import type { SqlMigration } from '@gateway/persistence';

/** Replays and recoveries take turns: the one that has waited longest since its last batch is next. */
export const turns: SqlMigration = {
  name: '0012-turns',
  indexes: [
    { name: 'replay_account', on: 'replay (account_id, environment)' },
    { name: 'recovery_endpoint', on: 'recovery (endpoint_id)' },
  ],
  sql: `
    alter table replay add column served_at timestamptz not null default clock_timestamp();
    alter table recovery add column served_at timestamptz not null default clock_timestamp();
  `,
};
