import type { SqlMigration } from '@gateway/persistence';

/**
 * People of two realms. The realm is the first column of every key that a person, a browser or a credential brings, so
 * that nothing of one realm is found from the other.
 */
export const people: SqlMigration = {
  name: '0001-people',
  sql: `
    create domain realm as text check (value in ('operator', 'merchant'));
    create domain digest as bytea check (length(value) = 32);

    create table person (
      realm realm not null,
      id text not null unique,
      name text not null,
      state text not null check (state in ('INVITED', 'ACTIVE', 'SUSPENDED')),
      roles text[] not null,
      created_at timestamptz not null,
      last_sign_in_at timestamptz,
      primary key (realm, id),
      constraint person_name_once unique (realm, name),
      constraint person_operators_alone_have_roles check (realm = 'operator' or roles = '{}')
    );

    create table membership (
      realm realm not null check (realm = 'merchant'),
      person_id text not null,
      account_id text not null,
      roles text[] not null check (roles <> '{}'),
      environments text[] not null check (environments <> '{}'),
      primary key (realm, person_id, account_id),
      foreign key (realm, person_id) references person (realm, id) on delete cascade
    );
    create index membership_by_account on membership (account_id);

    -- Who gave a person rights, or let it in: it is no second person for what they propose.
    create table granted (
      realm realm not null,
      person_id text not null,
      by_id text not null,
      at timestamptz not null,
      primary key (realm, person_id, by_id)
    );

    create table passkey (
      realm realm not null,
      id text not null unique,
      person_id text not null,
      credential_id bytea not null,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      backed_up boolean not null,
      label text not null,
      step_up_from timestamptz not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      primary key (realm, id),
      constraint passkey_credential_once unique (realm, credential_id),
      foreign key (realm, person_id) references person (realm, id) on delete cascade
    );
    create index passkey_by_person on passkey (realm, person_id);

    create table password (
      realm realm not null,
      person_id text not null,
      hash text not null,
      step_up_from timestamptz not null,
      created_at timestamptz not null,
      primary key (realm, person_id),
      foreign key (realm, person_id) references person (realm, id) on delete cascade
    );

    create table totp (
      realm realm not null,
      person_id text not null,
      sealed text not null,
      -- The last time step a code of which was taken: each step once.
      last_step bigint not null,
      primary key (realm, person_id),
      foreign key (realm, person_id) references person (realm, id) on delete cascade
    );

    create table recovery_code (
      realm realm not null,
      person_id text not null,
      digest digest not null,
      used_at timestamptz,
      primary key (realm, person_id, digest),
      foreign key (realm, person_id) references person (realm, id) on delete cascade
    );

    create table session (
      realm realm not null,
      id text not null unique,
      person_id text not null,
      factor text not null check (factor in ('passkey', 'password', 'recovery_code', 'link')),
      token_digest digest not null,
      token_issued_at timestamptz not null,
      rotation_due boolean not null default false,
      previous_digest digest,
      previous_ends_at timestamptz,
      step_up_from timestamptz not null,
      address text not null,
      user_agent text not null,
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      ends_at timestamptz not null,
      ended_at timestamptz,
      primary key (realm, id),
      constraint session_previous_ends check ((previous_digest is null) = (previous_ends_at is null)),
      foreign key (realm, person_id) references person (realm, id) on delete cascade
    );
    create unique index session_token on session (realm, token_digest);
    create index session_previous_token on session (realm, previous_digest) where previous_digest is not null;
    create index session_by_person on session (realm, person_id) where ended_at is null;

    -- What a browser answers once: taking a row removes it.
    create table challenge (
      realm realm not null,
      id text not null,
      kind text not null check (kind in ('sign_in', 'passkey', 'totp')),
      -- The session or invitation whose person enrols; null for a sign-in.
      holder text,
      sealed text not null,
      ends_at timestamptz not null,
      primary key (realm, id),
      check ((holder is null) = (kind = 'sign_in'))
    );

    create table step_up (
      realm realm not null,
      id text not null,
      session_id text not null,
      nonce bytea not null,
      digest digest not null,
      ends_at timestamptz not null,
      primary key (realm, id)
    );

    create table invitation (
      realm realm not null,
      id text not null unique,
      name text not null,
      roles text[] not null,
      membership jsonb,
      purpose text not null check (purpose in ('invitation', 'recovery', 'bootstrap')),
      break_glass boolean not null default false,
      state text not null check (state in ('OPEN', 'ACCEPTED', 'CONFIRMED', 'REVOKED')),
      token_digest digest not null,
      invited_by text not null,
      -- Who enrols by it. It is in the passkey, so it is known before the person exists.
      person_id text not null,
      passkey_label text,
      created_at timestamptz not null,
      ends_at timestamptz not null,
      primary key (realm, id),
      constraint invitation_token_once unique (realm, token_digest)
    );
    create unique index invitation_name_once on invitation (realm, name) where state in ('OPEN', 'ACCEPTED');

    create table sign_in_link (
      realm realm not null,
      token_digest digest not null,
      person_id text not null,
      ends_at timestamptz not null,
      primary key (realm, token_digest),
      foreign key (realm, person_id) references person (realm, id) on delete cascade
    );

    create table service_token (
      id text primary key,
      name text not null,
      token_digest digest not null unique,
      scopes text[] not null,
      allowlist text[] not null,
      created_by text not null,
      created_at timestamptz not null,
      ends_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz
    );

    -- Attempts of an address or a name within a time; shared by all replicas.
    create table attempts (
      key text primary key,
      count integer not null,
      since timestamptz not null,
      blocked_until timestamptz
    );

    -- Sign-ins, refusals and changes of people. No statement of the service changes a row.
    create table sign_in (
      realm realm not null,
      id text not null,
      person_id text,
      name text,
      what text not null,
      outcome text not null check (outcome in ('done', 'refused')),
      detail text not null,
      by_id text,
      address text not null,
      user_agent text not null,
      at timestamptz not null,
      primary key (realm, id)
    );
    create index sign_in_by_person on sign_in (realm, person_id, id);
    create index sign_in_refused on sign_in (at) where outcome = 'refused';
  `,
};
