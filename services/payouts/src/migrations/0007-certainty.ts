import type { SqlMigration } from '@gateway/persistence';

/**
 * What is asked about a payout after its end, what waits for an answer, and why operators are needed. A reservation that
 * was given back may turn out to have been paid, so it need not stay REJECTED.
 */
export const certainty: SqlMigration = {
  name: '0007-certainty',
  // Providers may name a return by its payout's own id alone.
  indexes: [
    { name: 'payout_by_e2e_id', on: `payout (provider, e2e_id) where environment = 'live' and e2e_id is not null` },
  ],
  sql: `
    alter table payout
      add column attention_reason text,
      -- Providers that refused it for a reason of their own, before it was given to the next one.
      add column refused_by jsonb not null default '[]',
      -- The call that created it gave it up before any provider was called. A database that was restored may lack the
      -- call, but never the giving up: the two exclude each other.
      add column known_unsent boolean not null default false,
      -- When the provider is asked again about a payout that has ended, and how many of the planned times it was.
      add column recheck_at timestamptz(3),
      add column rechecks integer not null default 0,
      -- What was told of it and no answer has confirmed yet.
      add column unconfirmed jsonb,
      drop constraint payout_released_is_rejected;
    create index payout_recheck on payout (provider, recheck_at) where recheck_at is not null;
    create index payout_unconfirmed on payout (provider, recheck_at) where unconfirmed is not null;
    -- It ended all the same: nobody is needed any more.
    update payout set attention_at = null where attention_at is not null and state in ('PAID', 'FAILED', 'REJECTED');
    update payout set attention_reason = 'outcome_unknown' where attention_at is not null;
    -- Rails send money back for 90 days.
    update payout set recheck_at = now()
      where environment = 'live' and state = 'PAID' and paid_at > now() - interval '91 days';
  `,
};
