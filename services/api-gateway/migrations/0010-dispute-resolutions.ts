import type { SqlMigration } from '@gateway/persistence';

/** What a dispute came to whose provider contradicts itself takes two operators as well. */
export const disputeResolutions: SqlMigration = {
  name: '0010-dispute-resolutions',
  sql: `
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.update', 'adjustment.apply', 'dispute.resolve', 'key.issue', 'payout.resolve', 'provider.update',
        'refund.resolve'
      ));
  `,
};
