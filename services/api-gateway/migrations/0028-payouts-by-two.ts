import type { SqlMigration } from '@gateway/persistence';

/**
 * Payouts beyond what one operator approves alone take two. What an operator has taken from a day's limit stays taken when
 * another one tries the same payout.
 */
export const payoutsByTwo: SqlMigration = {
  name: '0028-payouts-by-two',
  indexes: [
    {
      name: 'approval_of_waiting_payout',
      unique: true,
      on: `approval (target) where state in ('PROPOSED', 'APPLYING') and kind = 'payout.approve'`,
    },
  ],
  sql: `
    alter table payout_within_limit
      drop constraint payout_within_limit_pkey,
      add primary key (payout_id, operator);
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.unfreeze', 'account.update', 'adjustment.apply', 'checkpoint-key.rotate', 'dead-letter.discard',
        'dispute.resolve', 'exception.resolve', 'key.issue', 'ledger.open-incarnation', 'live-conversions.cover',
        'live-conversions.switch-on', 'own-transfer.declare', 'payout.approve', 'payout.resolve', 'provider.update',
        'refund.resolve', 'statement-mapping.approve', 'unread-item.dismiss'
      ));
  `,
};
