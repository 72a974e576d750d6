import type { SqlMigration } from '@gateway/persistence';

/**
 * What merchants' keys asked and were answered: of live keys what failed, of test keys all. A table per day, which is made
 * before its day and dropped as a whole; nothing of it is truth.
 */
export const requestLog: SqlMigration = {
  name: '0036-request-log',
  sql: `
    create table request_log (
      -- Of the log itself: the day it stands in follows from its time.
      id text collate "C" not null,
      environment text collate "C" not null check (environment in ('live', 'test')),
      account_id text collate "C" not null,
      public_key text not null,
      -- The X-Request-Id, which callers may choose.
      request_id text not null,
      method text not null,
      path text not null,
      query jsonb,
      status integer not null,
      code text,
      elapsed_ms double precision not null,
      address text not null,
      api_version text,
      user_agent text,
      -- Redacted; null where there was none, or it was too large to be kept.
      request jsonb,
      response jsonb,
      primary key (environment, account_id, id)
    ) partition by list (environment);
    create index request_log_by_request_id on request_log (request_id);
    create table request_log_live partition of request_log for values in ('live') partition by range (id);
    create table request_log_test partition of request_log for values in ('test') partition by range (id);
  `,
};
