import type { SqlMigration } from '@gateway/persistence';

/**
 * Every event of an account, whether or not an endpoint receives it, from this migration on.
 *
 * - `event_log_head` counts the events of an account in an environment. A transaction that records events takes the row's
 *   lock when it takes their numbers and holds it until its commit: the order of `seq` is that of the commits, and no
 *   event is ever seen before one that was seen already.
 * - `payload` is the event as its service sent it, in no contract; it is shown in that of each call. As `json` it takes
 *   every text that a message can have, also those that `jsonb` refuses.
 * - Each environment is partitioned by the day in the id, which is therefore enough to find an event, and age is dropped.
 *   Events of a day without a partition, after an outage of days, go to the one beside them.
 */
export const eventLog: SqlMigration = {
  name: '0008-event-log',
  sql: `
    create table event_log_head (
      environment text not null check (environment in ('live', 'test')),
      account_id text not null,
      seq bigint not null check (seq > 0),
      primary key (environment, account_id)
    ) with (fillfactor = 50);

    create table event_log (
      environment text not null,
      account_id text not null,
      seq bigint not null,
      id text collate "C" not null,
      name text not null,
      data_id text not null,
      subject text not null,
      payload json not null,
      primary key (environment, id)
    ) partition by list (environment);
    create index event_log_order on event_log (environment, account_id, seq);
    create index event_log_record on event_log (environment, account_id, data_id, seq);

    create table event_log_live partition of event_log for values in ('live') partition by range (id);
    create table event_log_test partition of event_log for values in ('test') partition by range (id);
    create table event_log_live_beside partition of event_log_live default;
    create table event_log_test_beside partition of event_log_test default;
  `,
};
