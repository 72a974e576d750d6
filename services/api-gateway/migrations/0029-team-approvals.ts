import type { SqlMigration } from '@gateway/persistence';

/**
 * The people of an account decide about what leaves its balance: from which amount on, in cents of BRL (null: nothing waits
 * for a second of them), and what exactly a proposal was, so that nothing else is carried out.
 */
export const teamApprovals: SqlMigration = {
  name: '0029-team-approvals',
  indexes: [
    {
      name: 'approval_of_team',
      on: `approval (account_id, environment, id desc) where kind in ('team.payouts', 'team.refund')`,
    },
  ],
  sql: `
    alter table account
      add column team_approval_over bigint default 0 check (team_approval_over >= 0);
    alter table approval
      add column request_digest text,
      drop constraint approval_kind_check,
      add constraint approval_kind_check check (kind in (
        'account.unfreeze', 'account.update', 'adjustment.apply', 'checkpoint-key.rotate', 'dead-letter.discard',
        'dispute.resolve', 'exception.resolve', 'key.issue', 'ledger.open-incarnation', 'live-conversions.cover',
        'live-conversions.switch-on', 'own-transfer.declare', 'payout.approve', 'payout.resolve', 'provider.update',
        'refund.resolve', 'statement-mapping.approve', 'team.payouts', 'team.refund', 'unread-item.dismiss'
      )),
      add constraint approval_of_team_as_shown check (
        kind not in ('team.payouts', 'team.refund')
        or (request_digest is not null and account_id is not null and environment is not null and proposed_by_person is not null)
      );
  `,
};
