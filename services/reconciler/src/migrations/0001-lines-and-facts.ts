import type { SqlMigration } from '@gateway/persistence';

/**
 * What the sides say. Lines are of live providers alone and are kept as they came. Facts are read from records, ledger and
 * deliveries, and can be read again at any time. `subject` is the match an item belongs to; the one of a line is null until
 * it was entered. `reading` has the place that each reader has reached, which it commits with what it read.
 *
 * Keys have one index each where a rule asks for them, since every payment is written here three times.
 */
export const linesAndFacts: SqlMigration = {
  name: '0001-lines-and-facts',
  sql: `
    create table line (
      provider text not null,
      currency text not null,
      line_key text not null,
      environment text not null default 'live' check (environment = 'live'),
      kind text not null,
      amount bigint not null,
      booked_at timestamptz not null,
      value_date date,
      e2e_id text,
      return_id text,
      our_ref text,
      counterparty text,
      text text,
      source text not null check (source in ('list', 'file')),
      file_id text,
      batch_key text,
      raw bytea,
      revision bigint not null,
      received_at timestamptz not null,
      subject text,
      rule text,
      pinned_subject text,
      primary key (environment, provider, currency, line_key)
    ) with (fillfactor = 90);
    create index line_e2e_id on line (provider, e2e_id) where e2e_id is not null;
    create index line_return_id on line (provider, return_id) where return_id is not null;
    create index line_our_ref on line (provider, our_ref) where our_ref is not null and kind <> 'payment';
    create index line_not_entered on line (provider, currency, line_key) where subject is null;
    create index line_by_day on line using brin (booked_at);

    create table fact (
      environment text not null check (environment in ('live', 'test')),
      side text not null check (side in ('R', 'L', 'W')),
      key text not null,
      kind text not null,
      provider text not null,
      currency text not null,
      amount bigint not null,
      occurred_at timestamptz not null,
      subject text not null,
      account_id text,
      record_id text,
      command_id text,
      sequence bigint,
      hash bytea,
      e2e_id text,
      return_id text,
      our_ref text,
      counterparty text,
      revision bigint not null,
      primary key (environment, side, key)
    ) with (fillfactor = 95);
    create index fact_e2e_id on fact (provider, e2e_id) where side = 'R' and e2e_id is not null;
    create index fact_return_id on fact (provider, return_id) where side = 'R' and return_id is not null;
    create index fact_our_ref on fact (provider, our_ref) where side = 'R' and our_ref is not null;

    create table statement_source (
      provider text not null,
      currency text not null,
      kind text not null check (kind in ('list', 'file')),
      compared_from timestamptz not null,
      primary key (provider, currency)
    );

    create table reading (
      name text primary key,
      place jsonb not null,
      read_at timestamptz not null
    );
  `,
};
