import type { SqlMigration } from '@gateway/persistence';

/** What becomes of money that nothing explains takes two operators, who decide one proposal at a time. */
export const exceptionResolutions: SqlMigration = {
  name: '0022-exception-resolutions',
  indexes: [
    {
      name: 'approval_of_exception',
      unique: true,
      on: `approval (target) where state in ('PROPOSED', 'APPLYING') and kind = 'exception.resolve'`,
    },
  ],
  sql: `
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.unfreeze', 'account.update', 'adjustment.apply', 'dead-letter.discard', 'dispute.resolve',
        'exception.resolve', 'key.issue', 'ledger.open-incarnation', 'live-conversions.cover',
        'live-conversions.switch-on', 'payout.resolve', 'provider.update', 'refund.resolve',
        'statement-mapping.approve', 'unread-item.dismiss'
      ));
  `,
};
