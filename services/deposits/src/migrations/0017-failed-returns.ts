import type { SqlMigration } from '@gateway/persistence';

/**
 * What has failed to go back to its payer is asked about again by a plan of days, if a provider may have it. An orphan
 * receipt that is known to have gone back is BOOKING until the ledger knows it too.
 */
export const failedReturns: SqlMigration = {
  name: '0017-failed-returns',
  sql: `
    alter table refund
      -- When the first call was announced; null of what no provider can know of.
      add column called_at timestamptz(3),
      -- When the provider is asked again about one that has failed, and how many of the planned times it was.
      add column recheck_at timestamptz(3),
      add column rechecks integer not null default 0,
      add constraint refund_rechecked_when_failed check (recheck_at is null or state = 'FAILED');
    update refund set called_at = sent_at where environment = 'live' and state <> 'RESERVING';
    update refund set recheck_at = now()
      where environment = 'live' and state = 'FAILED' and finished_at > now() - interval '91 days';
    create index refund_recheck on refund (provider, recheck_at) where recheck_at is not null;

    alter table orphan_receipt
      add column called_at timestamptz(3),
      add column recheck_at timestamptz(3),
      add column rechecks integer not null default 0,
      drop constraint orphan_receipt_state_check,
      add constraint orphan_receipt_state_check check (state in ('RETURNING', 'BOOKING', 'RETURNED', 'FAILED')),
      drop constraint orphan_receipt_due_until_decided,
      add constraint orphan_receipt_due_until_decided
        check ((state in ('RETURNING', 'BOOKING')) = (next_attempt_at is not null)),
      add constraint orphan_receipt_rechecked_when_failed check (recheck_at is null or state = 'FAILED');
    update orphan_receipt set called_at = sent_at where environment = 'live';
    update orphan_receipt set recheck_at = now()
      where environment = 'live' and state = 'FAILED' and returning_since > now() - interval '91 days';
    create index orphan_receipt_recheck on orphan_receipt (provider, recheck_at) where recheck_at is not null;
    drop index orphan_receipt_return_due;
    create index orphan_receipt_return_due on orphan_receipt (next_attempt_at) where next_attempt_at is not null;
  `,
};
