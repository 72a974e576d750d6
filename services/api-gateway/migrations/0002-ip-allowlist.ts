import type { SqlMigration } from '@gateway/persistence';

/** From where a key may be used; empty means from anywhere. What is remembered of the key is compared by its version. */
export const ipAllowlist: SqlMigration = {
  name: '0002-ip-allowlist',
  sql: `
    alter table api_key
      add column ip_allowlist text[] not null default '{}' check (cardinality(ip_allowlist) <= 100),
      add column version integer not null default 1 check (version > 0),
      add column updated_at timestamptz not null default now();
    create index api_key_updated_at on api_key (updated_at);
  `,
};
