import type { SqlMigration } from '@gateway/persistence';

/** Files of merchants that evidence against disputes names. */
export const evidenceFiles: SqlMigration = {
  name: '0034-evidence-files',
  sql: `
    create table evidence_file (
      id text collate "C" primary key,
      environment text not null check (environment in ('live', 'test')),
      account_id text collate "C" not null references account,
      name text not null,
      media_type text not null check (media_type in ('application/pdf', 'image/png', 'image/jpeg')),
      bytes integer not null check (bytes = octet_length(content)),
      sha256 text not null,
      content bytea not null,
      created_at timestamptz(3) not null,
      -- Since when evidence names it, or was about to; it is kept from then on.
      attached_at timestamptz(3)
    );
    -- Its content is compressed already.
    alter table evidence_file alter column content set storage external;
    create index evidence_file_of_account on evidence_file (account_id);
    create index evidence_file_unused on evidence_file (created_at) where attached_at is null;
  `,
};
