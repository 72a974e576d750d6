import type { SqlMigration } from '@gateway/persistence';

/**
 * A refund whose creation was answered 503 is given up (RELEASING). One that was debited and given back stays on record,
 * without its external_id.
 */
export const releasedRefunds: SqlMigration = {
  name: '0037-released-refunds',
  sql: `
    alter table refund
      -- When it was given back: the external_id is free again.
      add column released_at timestamptz(3),
      drop constraint refund_state_check,
      add constraint refund_state_check
        check (state in ('RESERVING', 'RELEASING', 'SENDING', 'DONE', 'REVERSING', 'FAILED', 'REDEBITING'));
  `,
};

/** The external_id of one that was given back is free. */
export const externalIdsOfKeptRefunds: SqlMigration = {
  name: '0038-external-ids-of-kept-refunds',
  indexes: [
    {
      name: 'refund_external_id_0038',
      unique: true,
      on: 'refund (environment, external_id, account_id) where released_at is null',
    },
  ],
  sql: `
    alter table refund drop constraint refund_external_id_once;
    alter index refund_external_id_0038 rename to refund_external_id_once;
  `,
};
