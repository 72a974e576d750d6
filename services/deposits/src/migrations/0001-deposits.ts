import type { SqlMigration } from '@gateway/persistence';

/**
 * Ids are compared byte by byte (collate "C"): their order is their age, so the primary key serves the list.
 * The environment comes first in every key. Only the primary key goes on with the account: while a young table has no
 * statistics yet, the planner takes (environment, account_id) for enough to find one row by, and would pick any index
 * that begins so.
 */
export const depositTables: SqlMigration = {
  name: '0001-deposits',
  sql: `
    create table deposit (
      environment text collate "C" not null check (environment in ('live', 'test')),
      account_id text collate "C" not null,
      id text collate "C" not null,
      external_id text collate "C" not null,
      state text collate "C" not null
        check (state in ('CREATING', 'PENDING', 'PAID', 'EXPIRED', 'REFUNDED', 'FAILED')),
      currency text not null,
      payment_method text not null,
      amount bigint not null,
      fee bigint not null check (fee >= 0),
      refunded bigint not null default 0,
      provider text not null,
      -- Our reference at the provider, stored before the first call.
      reference text not null,
      provider_ref text,
      emv text,
      redirect_url text,
      payer jsonb,
      payer_details jsonb,
      e2e_id text,
      callback_url text,
      metadata jsonb not null,
      api_version text not null,
      retention_days integer not null check (retention_days >= 0),
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      paid_at timestamptz(3),
      -- When somebody else takes over a creation that has not come to an end; null in every other state.
      creation_due_at timestamptz(3),
      primary key (environment, account_id, id),
      constraint deposit_external_id_once unique (environment, external_id, account_id),
      constraint deposit_larger_than_fee check (amount > fee),
      constraint deposit_refunded_within_amount check (refunded between 0 and amount),
      constraint deposit_creation_has_due_time check ((state = 'CREATING') = (creation_due_at is not null)),
      constraint deposit_paid_has_payment
        check (state not in ('PAID', 'REFUNDED') or (paid_at is not null and e2e_id is not null))
    );
    create index deposit_by_state on deposit (environment, state, account_id, id);
    create index deposit_expiry_due on deposit (expires_at) where state = 'PENDING';
    create index deposit_creation_due on deposit (creation_due_at) where state = 'CREATING';

    -- Money that arrived for a deposit, from the moment we know of it.
    create table payment (
      environment text collate "C" not null check (environment in ('live', 'test')),
      provider text collate "C" not null,
      e2e_id text collate "C" not null,
      account_id text collate "C" not null,
      deposit_id text collate "C" not null,
      state text collate "C" not null check (state in ('RECEIVED', 'CREDITED', 'REFUSED')),
      currency text not null,
      amount bigint not null,
      fee bigint not null,
      -- Unix seconds at which the retention ends; decided once, so that every question to the ledger is the same.
      release_at bigint,
      payer_details jsonb not null,
      paid_at timestamptz(3) not null,
      attempts integer not null default 0,
      next_attempt_at timestamptz(3),
      refusal text,
      primary key (environment, provider, e2e_id),
      constraint payment_once_per_deposit unique (environment, account_id, deposit_id),
      constraint payment_larger_than_fee check (fee >= 0 and amount > fee),
      constraint payment_due_until_decided check ((state = 'RECEIVED') = (next_attempt_at is not null)),
      foreign key (environment, account_id, deposit_id) references deposit (environment, account_id, id)
    );
    create index payment_credit_due on payment (next_attempt_at) where state = 'RECEIVED';
  `,
};
