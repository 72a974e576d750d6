import type { SqlMigration } from '#src/database/migration.ts';

/** Tables every service has: what it still has to publish, what it has already done, and what it could not handle. */
export const kitMigrations: readonly SqlMigration[] = [
  {
    name: 'kit-0001-messages',
    sql: `
      create table outbox (
        id text primary key,
        subject text not null,
        payload text not null,
        trace jsonb not null,
        created_at timestamptz not null default now()
      );
      create table inbox (
        consumer text not null,
        message_id text not null,
        done_at timestamptz not null default now(),
        primary key (consumer, message_id)
      );
      create table dead_letter (
        id text primary key,
        consumer text not null,
        stream text not null,
        stream_sequence bigint not null,
        subject text not null,
        payload text not null,
        headers jsonb not null,
        reason text not null,
        deliveries integer not null,
        created_at timestamptz not null default now(),
        retried_at timestamptz,
        unique (consumer, stream, stream_sequence)
      );
    `,
  },
];
