import type { SqlMigration } from '@gateway/persistence';

/** When the last call to send money back was announced: what operators have found out before it says nothing of it. */
export const lastCalls: SqlMigration = {
  name: '0039-last-calls',
  sql: `
    alter table refund add column last_called_at timestamptz(3);
    alter table orphan_receipt add column last_called_at timestamptz(3);
  `,
};
