import type { SqlMigration } from '@gateway/persistence';

export const providerPollTables: SqlMigration = {
  name: '0005-provider-polls',
  sql: `
    create table provider_poll (
      environment text collate "C" not null check (environment in ('live', 'test')),
      provider text collate "C" not null,
      read_until timestamptz(3) not null,
      due_at timestamptz(3) not null,
      primary key (environment, provider)
    );
  `,
};
