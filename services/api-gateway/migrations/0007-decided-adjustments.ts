import type { SqlMigration } from '@gateway/persistence';

/** Adjustments that were decided before there were approvals have one too: whatever two operators did is in one list. */
export const decidedAdjustments: SqlMigration = {
  name: '0007-decided-adjustments',
  sql: `
    insert into approval (
      id, kind, environment, account_id, target, request, reason, state, proposed_by, approved_by, decided_by,
      created_at, expires_at, decided_at, outcome, failure
    )
    select 'apr_' || substr(id, 5), 'adjustment.apply', environment, account_id, id,
           jsonb_build_object(
             'adjustment_id', id, 'account_id', account_id, 'environment', environment, 'currency', currency,
             'amount_cents', amount, 'external_id', external_id
           ),
           reason,
           case status when 'APPLIED' then 'APPLIED' else 'FAILED' end,
           proposed_by, approved_by, approved_by, created_at, created_at + interval '72 hours', decided_at,
           case status when 'APPLIED' then jsonb_build_object(
             'id', id, 'object', 'adjustment', 'account_id', account_id, 'environment', environment,
             'currency', currency, 'amount_cents', amount, 'reason', reason, 'external_id', external_id,
             'status', status, 'proposed_by', proposed_by, 'approved_by', approved_by,
             'created_at', floor(extract(epoch from created_at))::bigint,
             'decided_at', floor(extract(epoch from decided_at))::bigint
           ) end,
           case status when 'REFUSED' then
             jsonb_build_object('code', 'INVALID_STATE', 'message', 'the ledger refused the adjustment')
           end
      from adjustment a
     where status in ('APPLIED', 'REFUSED')
       and not exists (select 1 from approval where target = a.id and kind = 'adjustment.apply');
  `,
};
