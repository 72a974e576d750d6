import type { SqlMigration } from '@gateway/persistence';

export const refundTables: SqlMigration = {
  name: '0003-refunds',
  sql: `
    create table refund (
      environment text collate "C" not null check (environment in ('live', 'test')),
      account_id text collate "C" not null,
      id text collate "C" not null,
      deposit_id text collate "C" not null,
      external_id text collate "C" not null,
      state text collate "C" not null check (state in ('RESERVING', 'SENDING', 'DONE', 'REVERSING', 'FAILED')),
      provider text collate "C" not null,
      e2e_id text not null,
      currency text not null,
      amount bigint not null check (amount > 0),
      -- What was paid: the bound of all refunds together, as the ledger is told it.
      deposit_amount bigint not null,
      reason text,
      created_at timestamptz(3) not null,
      -- When it was first set out to be sent; stored before the first call and the same on every retry.
      sent_at timestamptz(3) not null,
      provider_ref text,
      return_id text,
      failure_reason text,
      failure_message text,
      finished_at timestamptz(3),
      attempts integer not null default 0,
      next_attempt_at timestamptz(3),
      primary key (environment, account_id, id),
      constraint refund_external_id_once unique (environment, external_id, account_id),
      constraint refund_due_until_decided check ((state in ('DONE', 'FAILED')) = (next_attempt_at is null)),
      constraint refund_finished_when_decided check ((state in ('DONE', 'FAILED')) = (finished_at is not null)),
      foreign key (environment, account_id, deposit_id) references deposit (environment, account_id, id)
    );
    create index refund_of_deposit on refund (environment, deposit_id, id);
    create index refund_due on refund (next_attempt_at) where state in ('RESERVING', 'SENDING', 'REVERSING');
  `,
};
