import type { SqlMigration } from '@gateway/persistence';

/** Two operators let a person of a merchant in again whom nobody of the account can. */
export const recoveredPeople: SqlMigration = {
  name: '0045-recovered-people',
  indexes: [
    {
      name: 'approval_of_recovery',
      unique: true,
      on: `approval (target) where state in ('PROPOSED', 'APPLYING') and kind = 'account.recover-person'`,
    },
  ],
  sql: `
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.first-owner', 'account.recover-person', 'account.unfreeze', 'account.update', 'adjustment.apply',
        'checkpoint-key.rotate', 'dead-letter.discard', 'dispute.enter', 'dispute.resolve', 'exception.resolve',
        'feed.skip', 'integration.set', 'key.allowlist', 'key.issue', 'ledger.open-incarnation',
        'live-conversions.cover', 'live-conversions.switch-on', 'own-transfer.declare', 'payout.approve',
        'payout.resolve', 'person.invite', 'person.recover', 'person.reinstate', 'person.roles', 'provider.update',
        'reconciliation.sign-off', 'refund.resolve', 'service-token.create', 'statement-day.close',
        'statement-mapping.approve', 'team.key', 'team.owner', 'team.payouts', 'team.refund', 'unread-item.dismiss'
      ));
  `,
};
