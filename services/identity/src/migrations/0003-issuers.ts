import type { SqlMigration } from '@gateway/persistence';

/** Sign-ins at an issuer of OpenID Connect: what it was asked, and which subject is which person. */
export const issuers: SqlMigration = {
  name: '0003-issuers',
  sql: `
    -- What a browser brings an answer to once: taking a row removes it.
    create table issuer_request (
      realm realm not null,
      token_digest digest not null,
      -- Whose person is to be bound to the subject of the answer; null for a sign-in.
      invitation_id text,
      sealed text not null,
      ends_at timestamptz not null,
      primary key (realm, token_digest)
    );

    create table issuer_subject (
      realm realm not null,
      person_id text not null,
      issuer text not null,
      subject text not null,
      created_at timestamptz not null,
      primary key (realm, person_id),
      constraint issuer_subject_of_one_person unique (realm, issuer, subject),
      foreign key (realm, person_id) references person (realm, id) on delete cascade
    );

    -- Who enrolled is that at the issuer; null where the person did not sign in there.
    alter table invitation add column issuer text;
    alter table invitation add column subject text;
    alter table invitation add constraint invitation_subject_has_issuer check ((issuer is null) = (subject is null));

    alter table challenge drop constraint challenge_kind_check;
    alter table challenge add constraint challenge_kind_check check (kind in ('sign_in', 'passkey', 'totp', 'subject'));

    alter table session drop constraint session_factor_check;
    alter table session add constraint session_factor_check
      check (factor in ('passkey', 'password', 'recovery_code', 'link', 'issuer'));
  `,
};
