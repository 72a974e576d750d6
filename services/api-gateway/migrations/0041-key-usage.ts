import type { SqlMigration } from '@gateway/persistence';

/**
 * How often a key called in an hour, by the contract of the calls, and how often it was over its rate. It is for people who look
 * at their keys; nothing of it is truth.
 */
export const keyUsage: SqlMigration = {
  name: '0041-key-usage',
  sql: `
    create table key_usage (
      environment text collate "C" not null check (environment in ('live', 'test')),
      account_id text collate "C" not null,
      public_key text collate "C" not null,
      api_version text collate "C" not null,
      hour timestamptz(0) not null,
      calls bigint not null,
      -- Of the calls, those that were answered 429.
      limited bigint not null,
      primary key (environment, account_id, public_key, api_version, hour)
    );
    create index key_usage_by_hour on key_usage (hour);
  `,
};
