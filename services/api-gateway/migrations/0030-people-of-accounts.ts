import type { SqlMigration } from '@gateway/persistence';

/** The first owner of an account takes two operators; every other one two of the account's people. */
export const peopleOfAccounts: SqlMigration = {
  name: '0030-people-of-accounts',
  indexes: [
    {
      name: 'approval_of_first_owner',
      unique: true,
      on: `approval (target) where state in ('PROPOSED', 'APPLYING') and kind = 'account.first-owner'`,
    },
  ],
  sql: `
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.first-owner', 'account.unfreeze', 'account.update', 'adjustment.apply', 'checkpoint-key.rotate',
        'dead-letter.discard', 'dispute.resolve', 'exception.resolve', 'key.issue', 'ledger.open-incarnation',
        'live-conversions.cover', 'live-conversions.switch-on', 'own-transfer.declare', 'payout.approve',
        'payout.resolve', 'provider.update', 'refund.resolve', 'statement-mapping.approve', 'team.owner',
        'team.payouts', 'team.refund', 'unread-item.dismiss'
      ));
  `,
};
