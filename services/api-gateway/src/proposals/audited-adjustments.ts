import type { AuditedAdjustment, getAuditedAdjustments } from '@gateway/contracts/accounts';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';

const sql = `
  select adjustment.id, environment, adjustment.account_id as "accountId", currency, amount,
    (select operator from audit where target = adjustment.id and action = 'adjustment.propose' limit 1) as "proposedBy",
    (select operator from audit where target = adjustment.id and action = 'adjustment.approve' limit 1) as "approvedBy"
  from adjustment where id = any($1)`;

/** Who has proposed and approved adjustments, by the audit trail, which is never changed; not by their own rows. */
export async function readAuditedAdjustments(
  database: Database,
  { ids }: RequestOf<typeof getAuditedAdjustments>,
): Promise<ReplyOf<typeof getAuditedAdjustments>> {
  return { adjustments: await database.query<AuditedAdjustment>(sql, [ids]) };
}
