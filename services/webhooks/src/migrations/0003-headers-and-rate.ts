import type { SqlMigration } from '@gateway/persistence';

/** Endpoints may have headers of their own, whose values are sealed as secrets are, and a rate their lane keeps to. */
export const headersAndRate: SqlMigration = {
  name: '0003-headers-and-rate',
  sql: `
    alter table endpoint add column header_names jsonb not null default '[]';
    alter table endpoint add column sealed_headers text;
    alter table endpoint add column rate_limit integer check (rate_limit between 1 and 1000);
    alter table endpoint add constraint endpoint_headers check ((sealed_headers is null) = (header_names = '[]'));
    -- Calls per second; null without a limit.
    alter table lane add column rate_limit integer check (rate_limit >= 1);
    -- By then the calls that were made are paid for, one each 1/rate_limit seconds.
    alter table lane add column spent_until timestamptz not null default '-infinity';
  `,
};
