import type { SqlMigration } from '@gateway/persistence';

/** At most one key signs; retired ones still verify the tokens they signed until those have expired. */
export const signingKeys: SqlMigration = {
  name: '0001-signing-keys',
  sql: `
    create table signing_key (
      id text primary key,
      sealed text not null,
      created_at timestamptz not null,
      retired_at timestamptz constraint signing_key_retired_later check (retired_at >= created_at)
    );
    create unique index signing_key_one_current on signing_key ((true)) where retired_at is null;
  `,
};
