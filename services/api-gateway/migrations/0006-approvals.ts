import type { SqlMigration } from '@gateway/persistence';

/**
 * Changes by two operators, and keys whose secret their merchant fetches. An adjustment that is waiting becomes an approval
 * under the same ULID; one that was approved and has no outcome yet is finished by it.
 */
export const approvals: SqlMigration = {
  name: '0006-approvals',
  sql: `
    create table approval (
      id text collate "C" primary key,
      kind text not null check (kind in (
        'account.update', 'adjustment.apply', 'key.issue', 'payout.resolve', 'provider.update'
      )),
      -- Null where the change concerns both.
      environment text check (environment in ('live', 'test')),
      account_id text collate "C",
      target text collate "C" not null,
      request jsonb not null,
      before jsonb,
      reason text,
      state text not null check (state in ('PROPOSED', 'APPLYING', 'APPLIED', 'REJECTED', 'EXPIRED', 'FAILED')),
      proposed_by text not null,
      approved_by text check (approved_by <> proposed_by),
      decided_by text,
      decision_reason text,
      -- The request by which it was approved; what is done under it is audited under this id.
      decision_request_id text,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      decided_at timestamptz,
      -- When carrying it out was begun last.
      attempted_at timestamptz,
      outcome jsonb,
      failure jsonb,
      constraint approval_by_two check ((state in ('APPLYING', 'APPLIED', 'FAILED')) = (approved_by is not null)),
      constraint approval_outcome check ((state = 'APPLIED') = (outcome is not null)),
      constraint approval_failure check ((state = 'FAILED') = (failure is not null)),
      constraint approval_decided check ((state = 'PROPOSED') = (decided_at is null))
    );
    create index approval_by_account on approval (account_id, id desc);
    create index approval_by_target on approval (target, id desc);
    create index approval_open on approval (state, id) where state in ('PROPOSED', 'APPLYING');
    -- Two changes of the same settings are carried out one after the other.
    create unique index approval_applying on approval (kind, target)
      where state = 'APPLYING' and kind in ('account.update', 'provider.update');
    -- What operators say of a payout is one thing at a time.
    create unique index approval_of_payout on approval (target)
      where state in ('PROPOSED', 'APPLYING') and kind = 'payout.resolve';

    do $$
    declare known record;
    begin
      for known in
        select conname from pg_constraint
         where conrelid = 'adjustment'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%status%'
      loop
        execute format('alter table adjustment drop constraint %I', known.conname);
      end loop;
    end $$;
    alter table adjustment
      add constraint adjustment_status check (status in ('PROPOSED', 'APPLIED', 'REFUSED', 'REJECTED', 'EXPIRED')),
      add constraint adjustment_decided check (
        status = 'PROPOSED' or (decided_at is not null and (status in ('REJECTED', 'EXPIRED') or approved_by is not null))
      );

    insert into approval (
      id, kind, environment, account_id, target, request, reason, state, proposed_by, approved_by, decided_by,
      decision_request_id, created_at, expires_at, decided_at, attempted_at, outcome, failure
    )
    select 'apr_' || substr(id, 5), 'adjustment.apply', environment, account_id, id,
           jsonb_build_object(
             'adjustment_id', id, 'account_id', account_id, 'environment', environment, 'currency', currency,
             'amount_cents', amount, 'external_id', external_id
           ),
           reason,
           case when approved_by is null then 'PROPOSED' else 'APPLYING' end,
           proposed_by, approved_by, approved_by, 'req_' || substr(id, 5), created_at, now() + interval '72 hours',
           case when approved_by is not null then coalesce(approved_at, now()) end,
           case when approved_by is not null then coalesce(approved_at, now()) end,
           null, null
      from adjustment where status = 'PROPOSED';

    -- A live key has no secret, and opens nothing, before its merchant has fetched one by the link.
    alter table api_key
      alter column secret_hash drop not null,
      add column claim_expires_at timestamptz,
      add column claimed_at timestamptz,
      add constraint api_key_secret check (secret_hash is not null or claim_expires_at is not null);
    create index api_key_unclaimed on api_key (claim_expires_at) where secret_hash is null and revoked_at is null;
  `,
};
