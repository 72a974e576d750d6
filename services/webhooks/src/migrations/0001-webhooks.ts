import type { SqlMigration } from '@gateway/persistence';

/**
 * - `endpoint`: who wants to be told what, and where. Besides those that merchants register there is one for each
 *   place their callback URLs point at, so that these go the same way.
 * - `event`: the bytes of one event in one format, stored once exactly as they are signed and sent. Kept 30 days.
 * - `delivery`: one event for one endpoint. Its unique key is the promise that nothing is sent anew when a message
 *   is consumed again, so these narrow rows stay for good.
 * - `attempt`: one row per call of a receiver. Kept 90 days.
 * - `lane`: the state of the way to one endpoint; whoever claims or records its deliveries locks this row first.
 *
 * `event` and `attempt` are partitioned by day, so that age is dropped instead of deleted.
 */
export const createWebhooks: SqlMigration = {
  name: '0001-webhooks',
  sql: `
    create table endpoint (
      environment text not null check (environment in ('live', 'test')),
      account_id text not null,
      id text primary key,
      kind text not null default 'registered' check (kind in ('registered', 'callback')),
      -- How bodies are written for it.
      format text not null default 'native' check (format in ('native')),
      name text not null,
      -- Of a callback endpoint the origin; each of its deliveries has a URL of its own.
      url text not null,
      events jsonb not null,
      status text not null check (status in ('enabled', 'paused', 'disabled')),
      api_version text not null,
      disabled_reason text check (disabled_reason in ('gone', 'asked_to_stop', 'failing')),
      -- Callback endpoints have none of their own: they share the account's.
      sealed_secret text,
      -- The secret that takes over at next_secret_at; until then it signs beside the old one.
      next_sealed_secret text,
      next_secret_at timestamptz,
      created_at timestamptz not null,
      constraint endpoint_secret check ((kind = 'callback') = (sealed_secret is null)),
      constraint endpoint_next_secret check ((next_sealed_secret is null) = (next_secret_at is null))
    );
    create index endpoint_owner on endpoint (environment, account_id, id);
    create unique index endpoint_callback on endpoint (environment, account_id, url) where kind = 'callback';

    create table callback_secret (
      environment text not null check (environment in ('live', 'test')),
      account_id text not null,
      sealed_secret text not null,
      created_at timestamptz not null default now(),
      primary key (environment, account_id)
    );

    create table event (
      id text not null,
      format text not null,
      environment text not null,
      account_id text not null,
      name text not null,
      data_id text not null,
      body bytea not null,
      trace jsonb not null,
      created_at timestamptz not null,
      primary key (id, format, created_at)
    ) partition by range (created_at);

    create table delivery (
      endpoint_id text not null,
      id text not null,
      event_id text not null,
      format text not null,
      data_id text not null,
      event text not null,
      -- Of callbacks; all others go to the URL of their endpoint.
      url text,
      -- 0 waiting, 1 leased, 2 delivered, 3 failed
      state smallint not null default 0 check (state between 0 and 3),
      attempts integer not null default 0,
      -- Attempts before it was last sent again by hand: the schedule starts anew from there.
      attempts_before integer not null default 0,
      due_at timestamptz not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      attempted_at timestamptz,
      lease_owner text,
      lease_until timestamptz,
      latency_ms integer,
      response_status smallint,
      error text,
      primary key (endpoint_id, id),
      constraint delivery_once unique (endpoint_id, data_id, event)
    ) with (fillfactor = 80);
    create index delivery_first on delivery (endpoint_id, due_at, id) where state = 0 and attempts = 0;
    create index delivery_again on delivery (endpoint_id, due_at, id) where state = 0 and attempts > 0;
    create index delivery_failed on delivery (endpoint_id, created_at) where state = 3;
    create index delivery_lease on delivery (lease_until) where state = 1;

    create table attempt (
      delivery_id text not null,
      endpoint_id text not null,
      number integer not null,
      trigger text not null check (trigger in ('first', 'immediate', 'redelivery', 'probe', 'manual')),
      url text not null,
      peer_address text,
      started_at timestamptz not null,
      dns_ms integer,
      connect_ms integer,
      tls_ms integer,
      first_byte_ms integer,
      total_ms integer not null,
      reused_connection boolean not null,
      response_status smallint,
      error text,
      request_headers json not null,
      response_headers json,
      response_body text,
      response_body_base64 boolean not null,
      response_truncated boolean not null,
      next_attempt_at timestamptz,
      replica text not null
    ) partition by range (started_at);
    create index attempt_log on attempt (delivery_id, started_at);

    create table lane (
      endpoint_id text primary key,
      -- No claim before this time; infinity while there is nothing to claim, or no room.
      ready_at timestamptz not null,
      -- Set by failures: ready_at never comes before it.
      held_until timestamptz not null default '-infinity',
      -- Deliveries may be due that found no room; the next recorded attempt looks again.
      saturated boolean not null default false,
      inflight smallint not null default 0 check (inflight >= 0),
      cap smallint not null default 2 check (cap >= 1),
      suspect boolean not null default false,
      breaker text not null default 'closed' check (breaker in ('closed', 'open', 'half_open')),
      openings smallint not null default 0,
      failing_deliveries text[] not null default '{}',
      failures integer not null default 0,
      failing_since timestamptz,
      -- Hours of failures the owner was last warned about.
      warned_hours smallint not null default 0,
      gone_count smallint not null default 0,
      gone_since timestamptz,
      window_started_at timestamptz not null default now(),
      window_attempts integer not null default 0,
      window_failures integer not null default 0,
      -- Paused or disabled: nothing is claimed.
      halted boolean not null default false,
      -- The endpoint is gone; what waits is being cleared.
      abandoned boolean not null default false
    ) with (fillfactor = 70);
    create index lane_ready on lane (suspect, ready_at) where not halted;
    create index lane_halted on lane (endpoint_id) where halted or breaker = 'open';
    create index lane_abandoned on lane (endpoint_id) where abandoned;

    -- Windows of failed deliveries that are being sent again, a batch at a time.
    create table recovery (
      id bigint generated always as identity primary key,
      endpoint_id text not null,
      since timestamptz not null,
      until timestamptz not null,
      created_at timestamptz not null default now()
    );
  `,
};
