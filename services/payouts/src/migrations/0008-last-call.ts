import type { SqlMigration } from '@gateway/persistence';

/** What has to be known before people or a second answer end a payout: when it was sent last, and who else has paid it. */
export const lastCall: SqlMigration = {
  name: '0008-last-call',
  sql: `
    alter table payout
      -- When its provider was called last. What two operators say of it has to be younger to give the money back.
      add column called_at timestamptz(3),
      -- Providers that have paid it besides the one on record, so that each is an alarm once.
      add column also_paid_by jsonb not null default '[]';
  `,
};
