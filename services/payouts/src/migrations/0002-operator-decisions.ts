import type { SqlMigration } from '@gateway/persistence';

/** Approval, operators' resolutions, returns, and payments that were confirmed after the payout had failed. */
export const operatorDecisions: SqlMigration = {
  name: '0002-operator-decisions',
  // Operators and providers name a payout by its id alone.
  indexes: [{ name: 'payout_by_id', unique: true, on: 'payout (id)' }],
  sql: `
    alter table payout
      -- Who approved or refused it.
      add column decided_by text,
      -- Since when it takes an operator to go on.
      add column attention_at timestamptz(3),
      -- What operators say has become of it; nothing follows from it before two of them say so.
      add column resolution jsonb,
      -- What the receiving bank sent back, and whether it is in the balance.
      add column returns jsonb not null default '[]',
      -- How many debits after the failure the ledger has refused: the next one has another name.
      add column redebits integer not null default 0,
      drop constraint payout_state_check,
      add constraint payout_state_check check (state in (
        'RESERVING', 'RELEASING', 'PENDING', 'SENDING', 'PROCESSING', 'SETTLING', 'REVERSING', 'REDEBITING',
        'PAID', 'FAILED', 'REJECTED'
      )),
      drop constraint payout_due_until_final,
      -- A paid one is due again while something that came back is not in the balance.
      add constraint payout_due_until_final check (
        state = 'PAID' or (state in ('PENDING', 'FAILED', 'REJECTED')) = (due_at is null)
      ),
      drop constraint payout_paid_has_payment,
      add constraint payout_paid_has_payment check (
        state not in ('SETTLING', 'REDEBITING', 'PAID')
        or (paid_at is not null and (e2e_id is not null or resolution ->> 'confirmedBy' is not null))
      );
    create index payout_attention on payout (id) where attention_at is not null;
  `,
};
