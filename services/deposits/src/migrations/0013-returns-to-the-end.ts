import type { SqlMigration } from '@gateway/persistence';

/**
 * What is known of a call to send money back, so that no second one is made while the first may have been carried out, and
 * who has to look when it does not end. A refund that was done after it had failed is debited again (REDEBITING).
 */
export const returnsToTheEnd: SqlMigration = {
  name: '0013-returns-to-the-end',
  indexes: [{ name: 'refund_by_id', on: 'refund (id)' }],
  sql: `
    alter table refund
      -- The call that has no outcome yet; committed before it is made.
      add column call_started_at timestamptz(3),
      -- Since when a call of which nothing is known may have been carried out.
      add column unknown_since timestamptz(3),
      add column not_found_count integer not null default 0,
      add column not_found_since timestamptz(3),
      -- Since when it is for operators to look, and why.
      add column attention_at timestamptz(3),
      add column attention text,
      -- What two operators decided, with their evidence.
      add column resolution jsonb,
      drop constraint refund_state_check,
      add constraint refund_state_check
        check (state in ('RESERVING', 'SENDING', 'DONE', 'REVERSING', 'FAILED', 'REDEBITING')),
      drop constraint refund_finished_when_decided,
      add constraint refund_finished_when_decided
        check (state = 'REDEBITING' or (state in ('DONE', 'FAILED')) = (finished_at is not null));
    drop index refund_due;
    create index refund_due on refund (next_attempt_at) where next_attempt_at is not null;
    create index refund_attention on refund (id) where attention_at is not null;

    alter table orphan_receipt
      -- From when its age is counted: an operator may have had it sent again.
      add column returning_since timestamptz(3),
      add column call_started_at timestamptz(3),
      add column unknown_since timestamptz(3),
      add column not_found_count integer not null default 0,
      add column not_found_since timestamptz(3),
      add column attention_at timestamptz(3),
      add column attention text,
      add column resolution jsonb;
    update orphan_receipt set returning_since = sent_at;
    alter table orphan_receipt alter column returning_since set not null;
    create index orphan_receipt_attention on orphan_receipt (id) where attention_at is not null;

    -- A call may have been made for whatever is being sent while this takes effect, and its outcome lost.
    update refund set unknown_since = sent_at where state = 'SENDING' and provider_ref is null;
    update orphan_receipt set unknown_since = sent_at
    where state = 'RETURNING' and provider_ref is null and attempts > 0;
  `,
};
