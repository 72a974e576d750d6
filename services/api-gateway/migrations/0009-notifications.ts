import type { SqlMigration } from '@gateway/persistence';

/** What providers told, before they are answered: evidence, and the way to the readers that no broker can lose. */
export const notifications: SqlMigration = {
  name: '0009-notifications',
  sql: `
    create table notification (
      id text collate "C" primary key,
      provider text collate "C" not null,
      received_at timestamptz(3) not null,
      -- As it came; gone after 120 days, when no PIX can come back any more. The digest stays.
      raw_body bytea,
      digest bytea not null,
      -- JSON, without secrets; text, since it may hold what jsonb refuses.
      headers text,
      query text,
      path_suffix text not null,
      remote_ip text not null,
      grade text collate "C" not null check (grade in ('hint', 'platform', 'ours'))
    );
    create index notification_bytes on notification (received_at) where raw_body is not null;
    create index notification_digest on notification (digest);
  `,
};
