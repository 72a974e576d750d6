import type { SqlMigration } from '@gateway/persistence';

/** What became of a refund nobody knows about takes two operators as well. */
export const refundResolutions: SqlMigration = {
  name: '0008-refund-resolutions',
  sql: `
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.update', 'adjustment.apply', 'key.issue', 'payout.resolve', 'provider.update', 'refund.resolve'
      ));
  `,
};
