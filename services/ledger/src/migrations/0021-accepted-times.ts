import type { SqlMigration } from '@gateway/persistence';

/**
 * Two operators may accept the time of a last decision that lies in the future: decisions are dated there then, instead of
 * waiting for that time. The shard has the latest one that was accepted, which the statement that writes a batch looks at.
 */
export const acceptedTimes: SqlMigration = {
  name: '0021-accepted-times',
  sql: `
    alter table incarnation add column accepted_time_ms bigint;
    alter table shard add column accepted_time_ms bigint not null default 0;
  `,
};
