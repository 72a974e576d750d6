import type { SqlMigration } from '@gateway/persistence';

/** Who answers for a proposal, where that is a person who signs in: somebody else decides it. */
export const proposalsOfPeople: SqlMigration = {
  name: '0026-proposals-of-people',
  sql: `alter table approval add column proposed_by_person text collate "C";`,
};
