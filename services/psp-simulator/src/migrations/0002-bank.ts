import type { SqlMigration } from '@gateway/persistence';

/** What happens on charges and beside them, for every dialect. */
export const bank: SqlMigration = {
  name: '0002-bank',
  sql: `
    alter table charge add column expiry_announced boolean not null default false;
    create index charge_unannounced on charge (created_at)
      where dialect = 'woovi' and status = 'ACTIVE' and not expiry_announced;
    create index charge_transaction on charge ((details ->> 'transactionID'));
    create table received_payment (
      id bigint generated always as identity primary key,
      dialect text not null,
      charge_id bigint not null references charge (id),
      e2e_id text not null unique,
      amount bigint not null check (amount > 0),
      payer jsonb not null,
      paid_at timestamptz not null
    );
    create index received_payment_charge on received_payment (charge_id);
    create index received_payment_time on received_payment (dialect, paid_at, id);
    create table refund (
      id bigint generated always as identity primary key,
      payment_id bigint not null references received_payment (id),
      reference text collate "C" not null,
      return_id text not null unique,
      amount bigint not null check (amount > 0),
      nature text not null,
      description text,
      status text not null check (status in ('PROCESSING', 'DONE', 'FAILED')),
      failure text,
      requested_at timestamptz not null,
      settle_at timestamptz,
      settled_at timestamptz,
      constraint refund_reference unique (payment_id, reference)
    );
    create index refund_due on refund (settle_at) where status = 'PROCESSING';
    create table transfer (
      id bigint generated always as identity primary key,
      dialect text not null,
      reference text collate "C" not null,
      amount bigint not null check (amount > 0),
      destination_key text not null,
      e2e_id text not null unique,
      status text not null check (status in ('CREATED', 'PROCESSING', 'PAID', 'FAILED')),
      -- What becomes of it, decided when it was ordered.
      plan text not null,
      failure_code text,
      details jsonb not null,
      requested_at timestamptz not null,
      settle_at timestamptz,
      settled_at timestamptz,
      constraint transfer_reference unique (dialect, reference)
    );
    create index transfer_due on transfer (settle_at) where status = 'PROCESSING';
    create index transfer_time on transfer (dialect, requested_at, id);
    create table transfer_return (
      id bigint generated always as identity primary key,
      transfer_id bigint not null references transfer (id),
      return_id text not null unique,
      amount bigint not null check (amount > 0),
      returned_at timestamptz not null
    );
    create table dispute (
      id text primary key,
      dialect text not null,
      payment_id bigint not null unique references received_payment (id),
      amount bigint not null check (amount > 0),
      status text not null check (status in ('OPEN', 'UNDER_ANALYSIS', 'ACCEPTED', 'REJECTED', 'CANCELED')),
      reason text not null,
      defence text,
      documents jsonb not null default '[]',
      opened_at timestamptz not null,
      due_at timestamptz not null,
      changed_at timestamptz not null
    );
    create index dispute_changes on dispute (dialect, changed_at);
    create table scheduled_payment (
      id bigint generated always as identity primary key,
      charge_id bigint not null references charge (id),
      amount bigint not null check (amount > 0),
      due_at timestamptz not null
    );
    create index scheduled_payment_due on scheduled_payment (due_at);
    create table notification_target (
      id text primary key,
      dialect text not null,
      -- A key at BACEN and Efí, an event at Woovi.
      topic text not null,
      name text not null,
      url text not null,
      active boolean not null default true,
      created_at timestamptz not null,
      changed_at timestamptz not null
    );
    create index notification_target_topic on notification_target (dialect, topic);
    create table notification (
      id bigint generated always as identity primary key,
      dialect text not null,
      topic text not null,
      url text not null,
      body text not null,
      state text not null check (state in ('PENDING', 'DELIVERED', 'GIVEN_UP', 'LOST')),
      attempts integer not null default 0,
      last_result text,
      due_at timestamptz not null,
      created_at timestamptz not null
    );
    create index notification_due on notification (due_at) where state = 'PENDING';
    create table fault_rule (
      id bigint generated always as identity primary key,
      dialect text,
      operation text not null,
      fault text not null,
      times_left integer,
      seed text,
      percent integer,
      calls bigint not null default 0
    );
    create table magic_fault_done (
      dialect text not null,
      operation text not null,
      reference text not null,
      primary key (dialect, operation, reference)
    );
    create table setting (
      name text primary key,
      value text not null
    );
  `,
};
