import type { SqlMigration } from '@gateway/persistence';

/** When a refund that was done came back: its payer's bank sent it to us again, as may happen over SPEI. */
export const refundsThatCameBack: SqlMigration = {
  name: '0034-refunds-that-came-back',
  sql: `alter table refund add column came_back_at timestamptz(3);`,
};
