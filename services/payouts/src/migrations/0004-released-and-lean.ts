import type { SqlMigration } from '@gateway/persistence';

/**
 * A reservation that was debited and given back stays on record, without its external_id. The index by state leaves out
 * the states every payout passes through: each change of a payout would write an entry there that nobody looks for.
 */
export const releasedAndLean: SqlMigration = {
  name: '0004-released-and-lean',
  indexes: [
    {
      name: 'payout_by_state_0004',
      on: `payout (environment, state, account_id, id) where state in ('PENDING', 'FAILED', 'REJECTED')`,
    },
  ],
  sql: `
    alter table payout
      -- When a reservation whose caller was told "nothing was created" was given back: the external_id is free again.
      add column released_at timestamptz(3),
      add constraint payout_released_is_rejected check (released_at is null or state = 'REJECTED'),
      drop constraint payout_external_id_once;
    create unique index payout_external_id_once on payout (environment, external_id, account_id)
      where released_at is null;
    drop index payout_by_state;
    alter index payout_by_state_0004 rename to payout_by_state;
  `,
};
