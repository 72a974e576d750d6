import type { SqlMigration } from '@gateway/persistence';

/**
 * Ids are compared byte by byte (collate "C"): their order is their age, so the primary key serves the list.
 * The environment comes first in every key. Only the primary key goes on with the account: while a young table has no
 * statistics yet, the planner takes (environment, account_id) for enough to find one row by, and would pick any index
 * that begins so.
 */
export const payoutTable: SqlMigration = {
  name: '0001-payouts',
  sql: `
    create table payout (
      environment text collate "C" not null check (environment in ('live', 'test')),
      account_id text collate "C" not null,
      id text collate "C" not null,
      external_id text collate "C" not null,
      state text collate "C" not null check (state in (
        'RESERVING', 'RELEASING', 'PENDING', 'SENDING', 'PROCESSING', 'SETTLING', 'REVERSING',
        'PAID', 'FAILED', 'REJECTED'
      )),
      -- Raised by every change: whoever changes a row says which one it has seen.
      version integer not null,
      currency text not null,
      amount bigint not null check (amount > 0),
      fee bigint not null check (fee >= 0),
      returned bigint not null default 0,
      key text not null,
      key_type text not null,
      recipient jsonb not null,
      kind text not null,
      verify_owner boolean not null,
      needs_approval boolean not null,
      metadata jsonb not null,
      api_version text not null,
      provider text not null,
      -- Our reference at the provider, stored before the first call and the same on every retry.
      reference text not null,
      provider_ref text,
      e2e_id text,
      -- When the payout first set out for the provider.
      sent_at timestamptz(3),
      -- Set before a call and cleared when it provably was not made: left over by a crash, it says that nobody knows.
      call_started_at timestamptz(3),
      processing_at timestamptz(3),
      lookups integer not null default 0,
      -- Lookups in a row that found nothing, and since when.
      not_found_count integer not null default 0,
      not_found_since timestamptz(3),
      -- Where a reversal leads.
      reversal text check (reversal in ('FAILED', 'REJECTED')),
      failure_reason text,
      failure_message text,
      paid_at timestamptz(3),
      -- When somebody has to do something about it; null where nobody but an operator or nobody at all can.
      due_at timestamptz(3),
      -- Continues the trace of the call that created it.
      trace jsonb not null,
      created_at timestamptz(3) not null,
      primary key (environment, account_id, id),
      constraint payout_external_id_once unique (environment, external_id, account_id),
      constraint payout_returned_within_amount check (returned between 0 and amount),
      constraint payout_due_until_final
        check ((state in ('PENDING', 'PAID', 'FAILED', 'REJECTED')) = (due_at is null)),
      constraint payout_sent_has_time
        check (state not in ('SENDING', 'PROCESSING', 'SETTLING', 'PAID') or sent_at is not null),
      constraint payout_paid_has_payment
        check (state not in ('SETTLING', 'PAID') or (paid_at is not null and e2e_id is not null)),
      constraint payout_reversal_has_reason
        check (state not in ('REVERSING', 'FAILED', 'REJECTED') or (reversal is not null and failure_reason is not null))
    );
    create index payout_by_state on payout (environment, state, account_id, id);
    create index payout_due on payout (environment, due_at) where due_at is not null;
  `,
};
