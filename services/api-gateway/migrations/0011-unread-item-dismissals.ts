import type { SqlMigration } from '@gateway/persistence';

/** An unread item may be about money: dismissing it takes two operators. */
export const unreadItemDismissals: SqlMigration = {
  name: '0011-unread-item-dismissals',
  sql: `
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.update', 'adjustment.apply', 'dispute.resolve', 'key.issue', 'payout.resolve', 'provider.update',
        'refund.resolve', 'unread-item.dismiss'
      ));
  `,
};
