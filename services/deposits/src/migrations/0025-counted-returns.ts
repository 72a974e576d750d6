import type { SqlMigration } from '@gateway/persistence';

/** Which dispute counts a return under MED: a provider may list the claim after its return, under another reference. */
export const countedReturns: SqlMigration = {
  name: '0025-counted-returns',
  sql: `
    create table dispute_return (
      environment text collate "C" not null check (environment in ('live', 'test')),
      provider text collate "C" not null,
      return_id text collate "C" not null,
      account_id text collate "C" not null,
      dispute_id text collate "C" not null,
      amount bigint not null check (amount > 0),
      primary key (environment, provider, return_id),
      foreign key (environment, account_id, dispute_id) references dispute (environment, account_id, id)
    );
  `,
};
