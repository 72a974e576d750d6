import type { SqlMigration } from '@gateway/persistence';

/**
 * Files that merchants asked for, and their content in parts. `due_at` is when the next part is to be written: a process
 * that writes one moves it to the end of its lease.
 */
export const exports: SqlMigration = {
  name: '0020-exports',
  sql: `
    create table export (
      id text primary key,
      environment text not null check (environment in ('test', 'live')),
      account_id text not null references account,
      external_id text not null,
      kind text not null,
      format text not null,
      currency text not null,
      from_date text not null,
      to_date text not null,
      zone text not null,
      raw boolean not null,
      api_version text not null,
      status text not null check (status in ('PROCESSING', 'COMPLETED', 'FAILED')),
      failure text check ((failure is not null) = (status = 'FAILED')),
      rows bigint,
      opening bigint,
      closing bigint,
      sha256 text,
      checkpoint text,
      progress jsonb,
      claims integer not null default 0,
      failures integer not null default 0,
      restarts integer not null default 0,
      due_at timestamptz(3) check ((due_at is not null) = (status = 'PROCESSING')),
      created_at timestamptz(3) not null,
      completed_at timestamptz(3),
      expires_at timestamptz(3),
      check ((status = 'COMPLETED') = (sha256 is not null and rows is not null and expires_at is not null)),
      unique (environment, account_id, external_id)
    );
    create index export_of_account on export (environment, account_id, id);
    create index export_running on export (account_id) where status = 'PROCESSING';
    create index export_due on export (due_at) where due_at is not null;

    create table export_part (
      export_id text not null references export,
      number integer not null,
      -- Of the content before it was compressed.
      bytes integer not null,
      content bytea not null,
      primary key (export_id, number)
    );
    alter table export_part alter column content set storage external;
  `,
};
