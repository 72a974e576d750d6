import type { SqlMigration } from '@gateway/persistence';

/** Money of our own that moves at a provider, and another key for checkpoints, take two operators. */
export const ownTransfers: SqlMigration = {
  name: '0023-own-transfers',
  indexes: [
    {
      name: 'approval_of_own_transfer',
      unique: true,
      on: `approval (target) where state in ('PROPOSED', 'APPLYING') and kind = 'own-transfer.declare'`,
    },
  ],
  sql: `
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.unfreeze', 'account.update', 'adjustment.apply', 'checkpoint-key.rotate', 'dead-letter.discard',
        'dispute.resolve', 'exception.resolve', 'key.issue', 'ledger.open-incarnation', 'live-conversions.cover',
        'live-conversions.switch-on', 'own-transfer.declare', 'payout.resolve', 'provider.update', 'refund.resolve',
        'statement-mapping.approve', 'unread-item.dismiss'
      ));
  `,
};
