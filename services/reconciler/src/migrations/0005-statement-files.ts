import type { SqlMigration } from '@gateway/persistence';

/**
 * Statements of banks as files. Their bytes are kept in the chunks in which they came, and those of an imported file never
 * change. The same bytes are one file; one that was refused may come again once it can be read. A mapping says how the CSV
 * of a provider is read, and is approved by another person than the one who proposed it.
 */
export const statementFiles: SqlMigration = {
  name: '0005-statement-files',
  sql: `
    create table statement_file (
      id text primary key,
      provider text not null,
      currency text not null,
      format text not null check (format in ('cnab240', 'ofx', 'camt053', 'csv')),
      mapping_version integer,
      dry_run boolean not null,
      state text not null check (state in ('UPLOADING', 'RECEIVED', 'IMPORTED', 'REFUSED')),
      sha256 text,
      bytes bigint not null default 0,
      summary jsonb,
      from_day date,
      to_day date,
      refusal jsonb,
      uploaded_by text not null,
      received_at timestamptz not null,
      import_due_at timestamptz,
      check (state = 'UPLOADING' or sha256 is not null),
      check (not dry_run or state = 'UPLOADING')
    );
    create unique index statement_file_sha256 on statement_file (sha256) where state in ('RECEIVED', 'IMPORTED');
    create index statement_file_import_due on statement_file (import_due_at) where import_due_at is not null;
    create index statement_file_days on statement_file (provider, currency, to_day) where state = 'IMPORTED';

    create table statement_file_chunk (
      file_id text not null references statement_file (id) on delete cascade,
      number integer not null,
      bytes bytea not null,
      primary key (file_id, number)
    );
    alter table statement_file_chunk alter column bytes set storage external;

    create function keep_statement_bytes() returns trigger language plpgsql as $keep$
    begin
      if exists (select from statement_file where id = old.file_id and state = 'IMPORTED') then
        raise exception 'the bytes of an imported statement never change';
      end if;
      return case when tg_op = 'DELETE' then old else new end;
    end $keep$;
    create trigger keep_statement_bytes before update or delete on statement_file_chunk
      for each row execute function keep_statement_bytes();

    create function keep_imported_statement() returns trigger language plpgsql as $keep$
    begin
      if old.state = 'IMPORTED' then raise exception 'an imported statement never changes'; end if;
      return case when tg_op = 'DELETE' then old else new end;
    end $keep$;
    create trigger keep_imported_statement before update or delete on statement_file
      for each row execute function keep_imported_statement();

    create table statement_mapping (
      provider text not null,
      version integer not null,
      state text not null check (state in ('DRAFT', 'APPROVED')),
      mapping jsonb not null,
      proposed_by text not null,
      approved_by text check (approved_by <> proposed_by),
      created_at timestamptz not null,
      approved_at timestamptz,
      primary key (provider, version),
      check ((state = 'APPROVED') = (approved_by is not null))
    );
  `,
};
