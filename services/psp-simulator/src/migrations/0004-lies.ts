import type { SqlMigration } from '@gateway/persistence';

/** How a notification is signed: as the provider would, or as another customer of it could have it signed. */
export const lies: SqlMigration = {
  name: '0004-lies',
  sql: `
    alter table notification add column signing text not null default 'ours'
      check (signing in ('ours', 'platform', 'wrong', 'none'));
  `,
};
