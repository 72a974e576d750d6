import type { SqlMigration } from '@gateway/persistence';

/** A connector lets the keys of an account in from more addresses by two operators. */
export const widerIntegrations: SqlMigration = {
  name: '0039-wider-integrations',
  sql: `
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.first-owner', 'account.unfreeze', 'account.update', 'adjustment.apply', 'checkpoint-key.rotate',
        'dead-letter.discard', 'dispute.resolve', 'exception.resolve', 'feed.skip', 'integration.set', 'key.issue',
        'ledger.open-incarnation', 'live-conversions.cover', 'live-conversions.switch-on', 'own-transfer.declare', 'payout.approve',
        'payout.resolve', 'person.invite', 'person.recover', 'person.reinstate', 'person.roles', 'provider.update',
        'refund.resolve', 'service-token.create', 'statement-day.close', 'statement-mapping.approve', 'team.key', 'team.owner',
        'team.payouts', 'team.refund', 'unread-item.dismiss'
      ));
  `,
};
