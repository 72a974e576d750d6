import type { SqlMigration } from '@gateway/persistence';

/**
 * A proposal is REFUSED by another operator or WITHDRAWN by its proposer. REJECTED stays allowed: gateways of the version
 * before record both as that, also while they run beside this one.
 */
export const withdrawnProposals: SqlMigration = {
  name: '0013-withdrawn-proposals',
  sql: `
    alter table approval
      drop constraint approval_state_check,
      add constraint approval_state_check check (state in (
        'PROPOSED', 'APPLYING', 'APPLIED', 'REFUSED', 'WITHDRAWN', 'REJECTED', 'EXPIRED', 'FAILED'
      )),
      add constraint approval_withdrawn check (state <> 'WITHDRAWN' or decided_by = proposed_by);
    create index approval_by_proposer on approval (proposed_by, id desc);
    alter table adjustment
      drop constraint adjustment_status,
      drop constraint adjustment_decided,
      add constraint adjustment_status check (
        status in ('PROPOSED', 'APPLIED', 'REFUSED', 'REJECTED', 'WITHDRAWN', 'EXPIRED')
      ),
      add constraint adjustment_decided check (
        status = 'PROPOSED'
        or (decided_at is not null and (status in ('REJECTED', 'WITHDRAWN', 'EXPIRED') or approved_by is not null))
      );
  `,
};
