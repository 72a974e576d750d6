import type { SqlMigration } from '@gateway/persistence';

/** Where each chain ended when it was reconciled: a later reconciliation finds one that was cut. */
export const chainHeads: SqlMigration = {
  name: '0007-chain-heads',
  sql: `alter table reconciliation add column heads json;`,
};
