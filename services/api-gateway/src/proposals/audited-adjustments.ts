import type { AuditedAdjustment, getAuditedAdjustments } from '@gateway/contracts/accounts';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';

const sql = `
  select adjustment.id, environment, adjustment.account_id as "accountId", currency, amount,
    (select operator from audit where target = adjustment.id and action = 'adjustment.propose' limit 1) as "proposedBy",
    (select operator from audit where target = adjustment.id and action = 'adjustment.approve' limit 1) as "approvedBy"
  from adjustment where id = any($1)
  union all
  select target, environment, account_id, request ->> 'currency', (request ->> 'amount_cents')::bigint,
    (select operator from audit where target = approval.id and action = 'approval.propose' limit 1),
    (select operator from audit where target = approval.id and action = 'approval.approve' limit 1)
  from approval where target = any($1) and kind = 'exception.resolve' and state in ('APPLYING', 'APPLIED')
    and request ->> 'action' = 'adjust'`;

/**
 * Who has proposed and approved adjustments, by the audit trail, which is never changed; not by their own rows. One that
 * resolves an exception has the id of the exception.
 */
export async function readAuditedAdjustments(
  database: Database,
  { ids }: RequestOf<typeof getAuditedAdjustments>,
): Promise<ReplyOf<typeof getAuditedAdjustments>> {
  return { adjustments: await database.query<AuditedAdjustment>(sql, [ids]) };
}
