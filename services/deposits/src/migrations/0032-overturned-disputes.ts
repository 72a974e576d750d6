import type { SqlMigration } from '@gateway/persistence';

/** What a dispute gave back that was lost and won after all stays known, so that the ledger is compared with it. */
export const overturnedDisputes: SqlMigration = {
  name: '0032-overturned-disputes',
  sql: `
    alter table dispute
      -- Null where nothing was given back; and for disputes that were won before this column was there.
      add column overturned bigint check (overturned >= 0);
  `,
};
