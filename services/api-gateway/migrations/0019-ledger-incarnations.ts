import type { SqlMigration } from '@gateway/persistence';

/** That the ledger decides again on a chain that has lost its end takes two operators. */
export const ledgerIncarnations: SqlMigration = {
  name: '0019-ledger-incarnations',
  sql: `
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.unfreeze', 'account.update', 'adjustment.apply', 'dead-letter.discard', 'dispute.resolve', 'key.issue',
        'ledger.open-incarnation', 'live-conversions.cover', 'live-conversions.switch-on', 'payout.resolve',
        'provider.update', 'refund.resolve', 'unread-item.dismiss'
      ));
  `,
};
