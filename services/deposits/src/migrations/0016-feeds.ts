import type { SqlMigration } from '@gateway/persistence';
import { feedMigrations } from '@gateway/provider-feeds';

/** The lists of providers are read by windows, each on its own; where the one poll of old stood, they begin. */
const fromPolls: SqlMigration = {
  name: '0016-feeds',
  sql: `
    insert into feed (environment, provider, name, lag_sec, from_at, width_ms, due_at)
    select environment, provider, name, 30, read_until - interval '10 minutes', 3600000, now()
    from provider_poll cross join (values ('payments'), ('returns'), ('disputes')) as list (name);
    drop table provider_poll;

    -- Disputes that are not decided, or lately, are asked about singly: a list may tell them by their opening alone.
    create table dispute_lookup (
      environment text collate "C" not null,
      provider text collate "C" not null,
      dispute_ref text collate "C" not null,
      provider_ref text,
      e2e_id text not null,
      opened_at timestamptz(3) not null,
      due_at timestamptz(3) not null,
      primary key (environment, provider, dispute_ref)
    );
    create index dispute_lookup_due on dispute_lookup (due_at);
    create index dispute_resolved on dispute (resolved_at);

    alter table orphan_receipt
      drop constraint orphan_receipt_cause_check,
      add constraint orphan_receipt_cause_check
        check (cause in ('canceled', 'second_payment', 'within_fee', 'over_limit', 'other_currency'));
  `,
};

export const depositFeeds: readonly SqlMigration[] = [...feedMigrations, fromPolls];
