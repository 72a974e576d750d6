import type { SqlMigration } from '@gateway/persistence';

/**
 * The answers of months that were detached. A command may be sent again after any time, and its answer is the same for
 * good; without it the sender would not know whether money was moved.
 */
export const keptAnswers: SqlMigration = {
  name: '0019-kept-answers',
  sql: `
    create table kept_answer (
      environment text collate "C" not null,
      id text collate "C" not null,
      outcome text not null check (outcome in ('applied', 'refused')),
      refusal text check ((refusal is null) = (outcome = 'applied')),
      balances json not null,
      amounts json not null,
      hash bytea not null,
      primary key (environment, id)
    );
  `,
};
