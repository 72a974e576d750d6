import type { SqlMigration } from '@gateway/persistence';

/** A proposal has the person who approved the token that made it, and a decision the person who made it. */
export const bothPeopleOfAToken: SqlMigration = {
  name: '0037-both-people-of-a-token',
  sql: `
    alter table approval
      add column token_approved_by text,
      add column approved_by_person text;
  `,
};
