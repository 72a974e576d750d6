import type { SqlMigration } from '@gateway/persistence';

/** What becomes of money that nothing explains takes two operators, who decide one proposal at a time. */
export const exceptionResolutions: SqlMigration = {
  name: '0022-exception-resolutions',
  sql: `
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.unfreeze', 'account.update', 'adjustment.apply', 'dead-letter.discard', 'dispute.resolve',
        'exception.resolve', 'key.issue', 'ledger.open-incarnation', 'live-conversions.cover',
        'live-conversions.switch-on', 'payout.resolve', 'provider.update', 'refund.resolve',
        'statement-mapping.approve', 'unread-item.dismiss'
      ));
    create unique index approval_of_exception on approval (target)
      where state in ('PROPOSED', 'APPLYING') and kind = 'exception.resolve';
  `,
};
