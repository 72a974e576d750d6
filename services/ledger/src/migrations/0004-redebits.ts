import type { SqlMigration } from '@gateway/persistence';

/**
 * A refund that is carried out after it had been given up, beside another one of the same deposit, gives back more than
 * was paid: the ledger has to be able to say so. Not checked again for the rows that are there: they obeyed a stricter rule.
 */
export const redebits: SqlMigration = {
  name: '0004-redebits',
  sql: `
    alter table reference drop constraint reference_check;
    alter table reference add constraint reference_used
      check (used >= 0 and (kind = 'deposit' or used <= amount)) not valid;
  `,
};
