import type { SqlMigration } from '@gateway/persistence';

/** What a token may do, and what a registration signs its notifications with. */
export const proofs: SqlMigration = {
  name: '0003-proofs',
  sql: `
    alter table access_token add column scope text not null default '';
    -- At Woovi each registration has a secret of its own.
    alter table notification_target add column secret text;
    alter table notification add column secret text;
  `,
};
