import type { SqlMigration } from '@gateway/persistence';

/** Two people know of a token that writes: who proposed it, and who approved it and was shown it. */
export const approvedTokens: SqlMigration = {
  name: '0002-approved-tokens',
  sql: 'alter table service_token add column approved_by text',
};
