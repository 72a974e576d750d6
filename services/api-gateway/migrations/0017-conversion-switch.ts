import type { SqlMigration } from '@gateway/persistence';

/** Live conversions are switched on by two operators. */
export const conversionSwitch: SqlMigration = {
  name: '0017-conversion-switch',
  sql: `
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.unfreeze', 'account.update', 'adjustment.apply', 'dead-letter.discard', 'dispute.resolve', 'key.issue',
        'live-conversions.switch-on', 'payout.resolve', 'provider.update', 'refund.resolve', 'unread-item.dismiss'
      ));
  `,
};
