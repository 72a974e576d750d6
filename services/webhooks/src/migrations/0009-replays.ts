import type { SqlMigration } from '@gateway/persistence';

/**
 * What an endpoint is yet to be given of the log: events of a period that it never received. `after_seq` is how far it has
 * come, `until_seq` the newest event when it was asked for, so that it ends.
 */
export const replays: SqlMigration = {
  name: '0009-replays',
  sql: `
    create table replay (
      id bigint generated always as identity primary key,
      environment text not null,
      account_id text not null,
      endpoint_id text not null,
      from_id text collate "C" not null,
      until_id text collate "C" not null,
      names text[] not null,
      after_seq bigint not null default 0,
      until_seq bigint not null
    );
    create index replay_endpoint on replay (endpoint_id);
  `,
};
