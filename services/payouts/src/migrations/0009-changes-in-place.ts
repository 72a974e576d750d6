import type { SqlMigration } from '@gateway/persistence';

/**
 * A change that touches no indexed column is written in place (a HOT update): it costs no entry in any index. PostgreSQL
 * compares the columns of all indexes, those of their conditions included. So what every payout changes on its way, its
 * state and its end-to-end id, is indexed through columns that are null for what the indexes leave out.
 */
export const changesInPlace: SqlMigration = {
  name: '0009-changes-in-place',
  sql: `
    alter table payout
      add column exceptional_state text collate "C"
        generated always as (case when state in ('PENDING', 'REDEBITING', 'FAILED', 'REJECTED') then state end) stored,
      add column live_e2e_id text
        generated always as (case when environment = 'live' then e2e_id end) stored,
      -- Room on the page for the versions a payout has within its first second.
      set (fillfactor = 50);
    drop index payout_by_state;
    create index payout_by_exceptional_state on payout (environment, exceptional_state, account_id, id)
      where exceptional_state is not null;
    drop index payout_by_e2e_id;
    create index payout_by_live_e2e_id on payout (provider, live_e2e_id) where live_e2e_id is not null;
  `,
};
