import type { SqlMigration } from '@gateway/persistence';

/** That conversions are covered by hand takes two operators. */
export const coverByHand: SqlMigration = {
  name: '0018-cover-by-hand',
  sql: `
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.unfreeze', 'account.update', 'adjustment.apply', 'dead-letter.discard', 'dispute.resolve', 'key.issue',
        'live-conversions.cover', 'live-conversions.switch-on', 'payout.resolve', 'provider.update', 'refund.resolve',
        'unread-item.dismiss'
      ));
  `,
};
