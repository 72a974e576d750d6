import type { SqlMigration } from '@gateway/persistence';

/** How far the list of changes of each live provider was read. */
export const providerPolls: SqlMigration = {
  name: '0005-provider-polls',
  sql: `
    create table provider_poll (
      provider text collate "C" primary key,
      read_until timestamptz(3) not null,
      due_at timestamptz(3) not null
    );
  `,
};
