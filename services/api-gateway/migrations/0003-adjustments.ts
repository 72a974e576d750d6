import type { SqlMigration } from '@gateway/persistence';

/** Corrections of balances by operators: whoever proposes one never approves it. */
export const adjustments: SqlMigration = {
  name: '0003-adjustments',
  sql: `
    create table adjustment (
      id text collate "C" primary key,
      account_id text collate "C" not null references account (id),
      environment text not null check (environment in ('live', 'test')),
      currency text not null,
      amount bigint not null check (amount <> 0),
      reason text not null,
      external_id text not null,
      status text not null check (status in ('PROPOSED', 'APPLIED', 'REFUSED')),
      proposed_by text not null,
      approved_by text check (approved_by <> proposed_by),
      created_at timestamptz not null,
      decided_at timestamptz,
      constraint adjustment_external_id unique (account_id, environment, external_id),
      check (status = 'PROPOSED' or (approved_by is not null and decided_at is not null))
    );
  `,
};
