import type { SqlMigration } from '@gateway/persistence';

/**
 * What decisions say of transit, suspense, disputes and refunds was not kept by earlier versions, and records say it of their
 * whole history: the chain is read from its beginning once more. What is there already stays as it is.
 */
export const ledgerAgain: SqlMigration = {
  name: '0009-ledger-again',
  sql: `update reading set place = 'null' where name like 'ledger %';`,
};
