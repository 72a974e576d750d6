import type { SqlMigration } from '@gateway/persistence';

/** What operators have decided about a provider; one without a row is as it is configured. */
export const providerSettingTables: SqlMigration = {
  name: '0007-provider-settings',
  sql: `
    create table provider_setting (
      environment text collate "C" not null check (environment in ('live', 'test')),
      provider text collate "C" not null,
      enabled boolean not null,
      weight integer not null check (weight between 0 and 1000),
      primary key (environment, provider)
    );
  `,
};
