import type { SqlMigration } from '@gateway/persistence';

/**
 * A freeze of an account in one environment: who stopped what of it, why, and when. It is a member of the account's row, so
 * that it is in force wherever the account's settings are; lifting it takes two operators.
 */
export const accountFreezes: SqlMigration = {
  name: '0012-account-freezes',
  sql: `
    alter table account
      add column frozen_live jsonb,
      add column frozen_test jsonb,
      add constraint account_frozen_live check (
        frozen_live is null or (frozen_live ?& array['level', 'reason', 'by', 'at'] and frozen_live ->> 'level' in ('payouts', 'writes'))
      ),
      add constraint account_frozen_test check (
        frozen_test is null or (frozen_test ?& array['level', 'reason', 'by', 'at'] and frozen_test ->> 'level' in ('payouts', 'writes'))
      );
    create index account_frozen on account (id) where frozen_live is not null or frozen_test is not null;

    alter table approval
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.unfreeze', 'account.update', 'adjustment.apply', 'dead-letter.discard', 'dispute.resolve', 'key.issue',
        'payout.resolve', 'provider.update', 'refund.resolve', 'unread-item.dismiss'
      ));
  `,
};
