import type { SqlMigration } from '@gateway/persistence';

/** A day that does not close by itself is closed by two operators. */
export const statementDaysByTwo: SqlMigration = {
  name: '0032-statement-days-by-two',
  sql: `
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.first-owner', 'account.unfreeze', 'account.update', 'adjustment.apply', 'checkpoint-key.rotate',
        'dead-letter.discard', 'dispute.resolve', 'exception.resolve', 'key.issue', 'ledger.open-incarnation',
        'live-conversions.cover', 'live-conversions.switch-on', 'own-transfer.declare', 'payout.approve',
        'payout.resolve', 'provider.update', 'refund.resolve', 'statement-day.close', 'statement-mapping.approve',
        'team.key', 'team.owner', 'team.payouts', 'team.refund', 'unread-item.dismiss'
      ));
  `,
};
