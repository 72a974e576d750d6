import type { SqlMigration } from '@gateway/persistence';

/** How the CSV of a provider is read takes two operators. */
export const statementMappings: SqlMigration = {
  name: '0021-statement-mappings',
  sql: `
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.unfreeze', 'account.update', 'adjustment.apply', 'dead-letter.discard', 'dispute.resolve',
        'key.issue', 'ledger.open-incarnation', 'live-conversions.cover', 'live-conversions.switch-on',
        'payout.resolve', 'provider.update', 'refund.resolve', 'statement-mapping.approve', 'unread-item.dismiss'
      ));
  `,
};
