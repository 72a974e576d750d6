import type { SqlMigration } from '@gateway/persistence';

/**
 * Since when an endpoint receives what it receives: an event of before that need not have a delivery to it. Of those that
 * are there it is not known what they received before now.
 */
export const receivesSince: SqlMigration = {
  name: '0007-receives-since',
  sql: `alter table endpoint add column receives_since timestamptz not null default now();`,
};
