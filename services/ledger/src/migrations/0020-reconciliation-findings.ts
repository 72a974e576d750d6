import type { SqlMigration } from '@gateway/persistence';

/** What a check found, one by one, with what operators have written beside it; and who answers for a reconciliation. */
export const reconciliationFindings: SqlMigration = {
  name: '0020-reconciliation-findings',
  sql: `
    create table reconciliation_finding (
      reconciliation_id text collate "C" not null references reconciliation (id),
      name text collate "C" not null,
      environment text collate "C" not null check (environment in ('live', 'test')),
      number integer not null check (number > 0),
      kind text not null,
      text text not null,
      record_id text,
      entry_id text,
      account_id text,
      provider text,
      currency text,
      expected text,
      found text,
      note json,
      primary key (reconciliation_id, name, environment, number)
    );
    alter table reconciliation add column signed_off json;
  `,
};
