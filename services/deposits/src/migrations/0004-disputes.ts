import type { SqlMigration } from '@gateway/persistence';

export const disputeTables: SqlMigration = {
  name: '0004-disputes',
  sql: `
    create table dispute (
      environment text collate "C" not null check (environment in ('live', 'test')),
      account_id text collate "C" not null,
      id text collate "C" not null,
      deposit_id text collate "C" not null,
      external_id text not null,
      provider text collate "C" not null,
      dispute_ref text collate "C" not null,
      -- A dispute that the provider opens again after it was decided is a new record of the next round.
      round integer not null default 1,
      provider_ref text,
      e2e_id text not null,
      currency text not null,
      amount bigint not null check (amount > 0),
      blocked bigint not null default 0,
      returned bigint not null default 0,
      -- Still to be taken from later credits by the ledger.
      shortfall bigint not null default 0,
      reason text check (reason in ('FRAUD', 'OPERATIONAL_FLAW')),
      state text collate "C" not null check (state in ('OPENING', 'OPEN', 'UNDER_ANALYSIS', 'WON', 'LOST')),
      -- The provider's decision, from the moment we know of it until the ledger has carried it out, and after.
      verdict text check (verdict in ('won', 'lost')),
      -- By the provider's clock: what it said before is no news.
      verdict_at timestamptz(3),
      -- What goes back when it is less than what is contested, and the ledger's dispute that holds only that.
      lost_amount bigint,
      lost_id text,
      opened_at timestamptz(3) not null,
      defense_due_at timestamptz(3),
      resolved_at timestamptz(3),
      attempts integer not null default 0,
      next_attempt_at timestamptz(3),
      primary key (environment, account_id, id),
      constraint dispute_round_once unique (environment, provider, dispute_ref, round),
      foreign key (environment, account_id, deposit_id) references deposit (environment, account_id, id)
    );
    create index dispute_due on dispute (next_attempt_at) where next_attempt_at is not null;
    create index dispute_of_deposit on dispute (environment, deposit_id, id);

    create table dispute_evidence (
      environment text collate "C" not null,
      account_id text collate "C" not null,
      dispute_id text collate "C" not null,
      id text collate "C" not null,
      text text not null,
      urls jsonb not null,
      created_at timestamptz(3) not null,
      state text collate "C" not null check (state in ('WAITING', 'SENT', 'REFUSED', 'KEPT')),
      failure text,
      attempts integer not null default 0,
      next_attempt_at timestamptz(3),
      primary key (environment, account_id, dispute_id, id),
      foreign key (environment, account_id, dispute_id) references dispute (environment, account_id, id)
    );
    create index dispute_evidence_due on dispute_evidence (next_attempt_at) where state = 'WAITING';
  `,
};
