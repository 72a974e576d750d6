import type { SqlMigration } from '@gateway/persistence';

/**
 * Which step of a dispute is unanswered and since when, how new what is recorded of its holding is, and who has to look;
 * and what became of the evidence.
 */
export const disputesToTheEnd: SqlMigration = {
  name: '0015-disputes-to-the-end',
  sql: `
    alter table dispute
      -- Since when the ledger is asked for a step it has not answered; until then no further decision is taken.
      add column step_since timestamptz(3),
      -- Of a later round: the decision of the one before, by the provider's clock. What was said until then is no news.
      add column reopened_after timestamptz(3),
      -- A refund of the deposit that came to nothing: what it stood in the way of is still to be added.
      add column extended_by text collate "C",
      -- Place in the ledger's chain of the newest change of the holding that is recorded.
      add column holding_sequence bigint not null default 0,
      add column attention_at timestamptz(3),
      add column attention text;
    update dispute set step_since = coalesce(verdict_at, opened_at)
    where state = 'OPENING' or (verdict = 'lost' and state not in ('LOST', 'WON'))
      or (verdict = 'won' and state <> 'WON');
    create index dispute_step on dispute (step_since) where step_since is not null;
    create index dispute_attention on dispute (id) where attention_at is not null;
    create index dispute_by_id on dispute (id);

    -- The first time each opening was told, and its time then: told again, however late, it is no new dispute.
    create table dispute_opening (
      environment text collate "C" not null check (environment in ('live', 'test')),
      provider text collate "C" not null,
      dedupe_key text collate "C" not null,
      at timestamptz(3) not null,
      primary key (environment, provider, dedupe_key)
    );

    -- SENT: handed over, and the provider has not said yet that it took it.
    alter table dispute_evidence
      add column sent_at timestamptz(3),
      drop constraint dispute_evidence_state_check,
      add constraint dispute_evidence_state_check check (state in ('WAITING', 'SENT', 'ACCEPTED', 'REFUSED', 'KEPT'));
    update dispute_evidence set state = 'ACCEPTED', sent_at = created_at where state = 'SENT';
    drop index dispute_evidence_due;
    create index dispute_evidence_due on dispute_evidence (next_attempt_at) where next_attempt_at is not null;
  `,
};
