import type { SqlMigration } from '@gateway/persistence';

/** Whether what is booked at a provider is compared with what it says it holds; false only where the configuration says so. */
export const comparedProviders: SqlMigration = {
  name: '0008-compared-providers',
  sql: `alter table provider add column compared boolean not null default true;`,
};
