import type { SqlMigration } from '@gateway/service-kit';

/** Where each chain stood: the next reconciliation looks whether that is still so. */
export const recordedHeads: SqlMigration = {
  name: '0007-recorded-heads',
  sql: `alter table reconciliation add column heads json;`,
};
