import type { SqlMigration } from '@gateway/persistence';

/** Payouts that operators with a limit have approved: what is left of a day is asked before the next. */
export const payoutsWithinLimit: SqlMigration = {
  name: '0025-payouts-within-limit',
  sql: `
    create table payout_within_limit (
      payout_id text collate "C" primary key,
      operator text not null,
      amount_cents bigint not null check (amount_cents > 0),
      approved_at timestamptz not null
    );
    create index payout_within_limit_operator on payout_within_limit (operator, approved_at);
  `,
};
