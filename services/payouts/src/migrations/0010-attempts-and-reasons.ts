import type { SqlMigration } from '@gateway/persistence';

/**
 * Why a payout waits for approval, and the calls that did not lead to a payment. What the provider says of a failure is a
 * column of its own: `failure_message` is not written any more, since the message for merchants follows from the reason.
 */
export const attemptsAndReasons: SqlMigration = {
  name: '0010-attempts-and-reasons',
  sql: `
    alter table payout
      add column pending_reason text,
      add column provider_message text,
      add column failed_calls jsonb not null default '[]';
    update payout set provider_message = failure_message
    where environment in ('live', 'test') and exceptional_state in ('FAILED', 'REJECTED')
      and failure_reason not in ('canceled_by_merchant', 'refused_by_operator', 'creation_abandoned');
    update payout set attention_reason = 'paid_twice'
    where attention_at is not null and attention_reason = 'contradiction' and also_paid_by <> '[]';
  `,
};
