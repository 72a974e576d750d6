import type { SqlMigration } from '@gateway/persistence';

/**
 * What totals need of an event, beside its payload: reading that as JSON again took a hundred times as long as adding up.
 * Events of earlier versions have no `occurred_at`, and are read from their payload.
 */
export const notedAmounts: SqlMigration = {
  name: '0014-noted-amounts',
  sql: `
    alter table event_log
      add column occurred_at timestamptz,
      add column provider text,
      add column currency text,
      add column amount bigint;
  `,
};
