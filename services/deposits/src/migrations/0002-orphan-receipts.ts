import type { SqlMigration } from '@gateway/persistence';

/** Test mode has no notifications to be found again, and by far the most creations: it is left out of the index. */
export const orphanReceiptTables: SqlMigration = {
  name: '0002-orphan-receipts',
  indexes: [
    {
      name: 'deposit_at_provider',
      unique: true,
      on: `deposit (environment, provider, reference) where provider <> 'sandbox'`,
    },
  ],
  sql: `
    -- Money that arrived on a charge of ours and belongs to no deposit's payment: it goes back to its payer.
    create table orphan_receipt (
      environment text collate "C" not null check (environment in ('live', 'test')),
      provider text collate "C" not null,
      e2e_id text collate "C" not null,
      -- A refund id: what the provider is asked to send back under.
      id text collate "C" not null,
      account_id text collate "C" not null,
      deposit_id text collate "C" not null,
      cause text not null check (cause in ('canceled', 'second_payment', 'within_fee')),
      state text collate "C" not null check (state in ('RETURNING', 'RETURNED', 'FAILED')),
      currency text not null,
      amount bigint not null check (amount > 0),
      paid_at timestamptz(3) not null,
      sent_at timestamptz(3) not null,
      provider_ref text,
      return_id text,
      failure text,
      attempts integer not null default 0,
      next_attempt_at timestamptz(3),
      primary key (environment, provider, e2e_id),
      constraint orphan_receipt_due_until_decided check ((state = 'RETURNING') = (next_attempt_at is not null)),
      foreign key (environment, account_id, deposit_id) references deposit (environment, account_id, id)
    );
    create index orphan_receipt_return_due on orphan_receipt (next_attempt_at) where state = 'RETURNING';
  `,
};
