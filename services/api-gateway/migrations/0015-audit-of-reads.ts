import type { SqlMigration } from '@gateway/persistence';

/** Reads of personal data stand beside the changes. A row belongs to the account that its record names. */
export const auditOfReads: SqlMigration = {
  name: '0015-audit-of-reads',
  sql: `
    alter table audit
      add column kind text not null default 'change' check (kind in ('change', 'read')),
      add column account_id text collate "C",
      add column filter jsonb,
      add column records integer check (records >= 0);
    update audit set account_id = coalesce(after ->> 'account_id', before ->> 'account_id', substring(target from '^acc_[0-9a-z]{26}'));
  `,
};
