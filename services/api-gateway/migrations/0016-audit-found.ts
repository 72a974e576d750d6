import type { SqlMigration } from '@gateway/persistence';

/** Reads of personal data soon outnumber the changes: each kind has an index of its own. */
export const auditFound: SqlMigration = {
  name: '0016-audit-found',
  indexes: [
    { name: 'audit_kind', on: 'audit (kind, id desc)' },
    { name: 'audit_account', on: 'audit (account_id, id desc) where account_id is not null' },
    { name: 'audit_request', on: 'audit (request_id)' },
  ],
};
