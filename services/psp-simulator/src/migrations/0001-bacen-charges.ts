import type { SqlMigration } from '@gateway/persistence';

/** Charges of every dialect live in one table, so that paying, disputing and faults need to know no dialect. */
export const bacenCharges: SqlMigration = {
  name: '0001-bacen-charges',
  sql: `
    create table charge (
      id bigint generated always as identity primary key,
      dialect text not null,
      -- What the integrator calls it: the txid, the correlation id.
      reference text collate "C" not null,
      status text not null check (status in ('ACTIVE', 'COMPLETED', 'REMOVED_BY_RECEIVER', 'REMOVED_BY_PSP')),
      revision integer not null check (revision >= 0),
      currency text not null,
      amount bigint not null constraint charge_amount_positive check (amount > 0),
      expires_in_sec integer not null check (expires_in_sec > 0),
      location text not null unique,
      br_code text not null,
      -- What the dialect shows again and nothing else reads.
      details jsonb not null,
      created_at timestamptz not null,
      constraint charge_reference unique (dialect, reference)
    );
    create table access_token (
      -- SHA-256 of the token.
      digest text primary key,
      client_id text not null,
      expires_at timestamptz not null
    );
    create index access_token_expiry on access_token (expires_at);
  `,
};
