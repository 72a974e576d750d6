import type { SqlMigration } from '@gateway/persistence';

/** The version of camt.053 that a file was asked for in; null where none was named. */
export const camtVersions: SqlMigration = {
  name: '0040-camt-versions',
  sql: `alter table export add column camt_version text check (camt_version is null or format = 'camt053');`,
};
