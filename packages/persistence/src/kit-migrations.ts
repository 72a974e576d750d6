import type { SqlMigration } from '#src/migration.ts';

/** Tables every service has: the messages it still has to publish, and those it could not handle. */
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
  {
    name: 'kit-0002-dead-letter-decisions',
    // A stream that was made anew counts from 1 again: the same place may hold another message.
    sql: `
      alter table dead_letter
        alter column id type text collate "C",
        add column discarded_at timestamptz,
        add column decided_by text,
        add check (retried_at is null or discarded_at is null),
        drop constraint dead_letter_consumer_stream_stream_sequence_key;
      create unique index dead_letter_message on dead_letter (consumer, stream, stream_sequence, md5(payload));
    `,
  },
  {
    name: 'kit-0003-outbox-until-read',
    // The broker has the message and a process watches over the row until it was read; no other process publishes it.
    sql: `alter table outbox add column watched_until timestamptz;`,
  },
  {
    name: 'kit-0004-dead-letter-bytes',
    // What could not be handled may be anything, and text is not anything. Of what cannot be kept whole: its length, its hash.
    sql: `
      drop index dead_letter_message;
      alter table dead_letter
        alter column payload type bytea using convert_to(payload, 'UTF8'),
        alter column headers type bytea using convert_to(headers::text, 'UTF8'),
        add column whole_bytes bigint,
        add column whole_sha256 bytea;
      create unique index dead_letter_message on dead_letter (consumer, stream, stream_sequence, md5(payload));
    `,
  },
  {
    name: 'kit-0005-without-inbox',
    // Consumers are idempotent by the keys and states of their own tables; this one never had a row.
    sql: 'drop table inbox;',
  },
];
