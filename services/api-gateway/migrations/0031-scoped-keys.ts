import type { SqlMigration } from '@gateway/persistence';

/** A key may be limited to scopes (null: it is not), and the people of an account agree on a live one that moves money. */
export const scopedKeys: SqlMigration = {
  name: '0031-scoped-keys',
  sql: `
    alter table api_key
      add column scopes text[] check (cardinality(scopes) > 0);
    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.first-owner', 'account.unfreeze', 'account.update', 'adjustment.apply', 'checkpoint-key.rotate',
        'dead-letter.discard', 'dispute.resolve', 'exception.resolve', 'key.issue', 'ledger.open-incarnation',
        'live-conversions.cover', 'live-conversions.switch-on', 'own-transfer.declare', 'payout.approve',
        'payout.resolve', 'provider.update', 'refund.resolve', 'statement-mapping.approve', 'team.key', 'team.owner',
        'team.payouts', 'team.refund', 'unread-item.dismiss'
      ));
  `,
};
