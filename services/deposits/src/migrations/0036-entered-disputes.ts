import type { SqlMigration } from '@gateway/persistence';

/** Which two operators entered a dispute by hand, and what they know it by; null for one that its provider reported. */
export const enteredDisputes: SqlMigration = {
  name: '0036-entered-disputes',
  sql: 'alter table dispute add column entry jsonb;',
};
