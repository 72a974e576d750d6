import type { SqlMigration } from '@gateway/persistence';

/** Accounts, their keys, and what operators did. Ids collate as bytes, so that their order is that of creation. */
export const accountsAndKeys: SqlMigration = {
  name: '0001-accounts-and-keys',
  sql: `
    create table account (
      id text collate "C" primary key,
      name text not null check (char_length(name) between 1 and 120),
      document text,
      auto_approve_payouts boolean not null,
      deposit_fee_fixed bigint not null check (deposit_fee_fixed >= 0),
      deposit_fee_bps integer not null check (deposit_fee_bps between 0 and 10000),
      payout_fee_fixed bigint not null check (payout_fee_fixed >= 0),
      payout_fee_bps integer not null check (payout_fee_bps between 0 and 10000),
      retention_days integer not null check (retention_days between 0 and 365),
      rate_per_second integer not null check (rate_per_second > 0),
      rate_burst integer not null check (rate_burst > 0),
      payout_limit bigint check (payout_limit > 0),
      payout_day_limit bigint check (payout_day_limit > 0),
      version integer not null check (version > 0),
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index account_updated_at on account (updated_at);

    create table api_key (
      public_key text collate "C" primary key,
      secret_hash text not null check (secret_hash ~ '^[0-9a-f]{64}$'),
      account_id text collate "C" not null references account (id),
      environment text not null check (environment in ('live', 'test')),
      api_version text not null check (api_version in ('0.1', '1.0')),
      name text check (char_length(name) between 1 and 64),
      created_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz
    );
    create index api_key_account on api_key (account_id);
    create index api_key_revoked_at on api_key (revoked_at) where revoked_at is not null;

    create table audit (
      id text collate "C" primary key,
      operator text not null,
      action text not null,
      target text not null,
      before jsonb,
      after jsonb,
      request_id text not null,
      created_at timestamptz not null
    );
  `,
};
