/**
 * The baseline's tables. `deposit` has every column of the product's; no index beyond the two that the operations need,
 * so nothing here is slower than it must be.
 */
export const baselineSchema = `
  create table deposit (
    environment text not null,
    account_id text not null,
    id text not null,
    external_id text not null,
    state text not null,
    currency text not null,
    payment_method text not null,
    amount bigint not null,
    fee bigint not null,
    refunded bigint not null default 0,
    provider text not null,
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
    retention_days integer not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    paid_at timestamptz(3),
    creation_due_at timestamptz(3),
    primary key (environment, account_id, id),
    unique (environment, account_id, external_id)
  );

  create table payout (
    environment text not null,
    account_id text not null,
    id text not null,
    external_id text not null,
    state text not null,
    currency text not null,
    amount bigint not null,
    fee bigint not null,
    returned bigint not null default 0,
    key text not null,
    key_type text not null,
    recipient jsonb not null,
    kind text not null,
    verify_owner boolean not null,
    metadata jsonb not null,
    api_version text not null,
    provider text not null,
    reference text not null,
    e2e_id text,
    failure_reason text,
    failure_message text,
    paid_at timestamptz(3),
    created_at timestamptz(3) not null,
    primary key (environment, account_id, id),
    unique (environment, account_id, external_id)
  );

  create table balance (
    environment text not null,
    account_id text not null,
    currency text not null,
    available bigint not null check (available >= 0),
    pending bigint not null default 0,
    blocked bigint not null default 0,
    primary key (environment, account_id, currency)
  );

  create table entry (
    environment text not null,
    account_id text not null,
    currency text not null,
    id text not null,
    type text not null,
    amount bigint not null,
    ref_type text not null,
    ref_id text not null,
    balance_after bigint not null,
    created_at timestamptz(3) not null,
    primary key (environment, account_id, currency, id)
  );
`;
