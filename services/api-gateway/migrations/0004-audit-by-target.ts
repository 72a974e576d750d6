import type { SqlMigration } from '@gateway/persistence';

/** What was done to one record is asked for by its id, and completed by it. */
export const auditByTarget: SqlMigration = {
  name: '0004-audit-by-target',
  indexes: [{ name: 'audit_target', on: 'audit (target, id desc)' }],
};
