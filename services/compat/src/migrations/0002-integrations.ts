import type { SqlMigration } from '@gateway/persistence';

/** What operators restrict, per account and connector. */
export const integrations: SqlMigration = {
  name: '0002-integrations',
  sql: `
    create table integration (
      id text primary key,
      account_id text not null,
      prefix text not null check (prefix in ('cli', 'alt')),
      ip_allowlist text[] not null,
      payouts_enabled boolean not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint integration_once unique (account_id, prefix)
    );
  `,
};
