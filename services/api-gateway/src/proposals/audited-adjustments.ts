import type { AuditedAdjustment, getAuditedAdjustments } from '@gateway/contracts/accounts';
import { treasuryAccountId } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';

/** Who has taken that step with an approval. */
const byOf = (step: 'propose' | 'approve') =>
  `(select operator from audit where target = approval.id and action = 'approval.${step}' limit 1)`;

const sql = `
  select adjustment.id, 'adjust' as kind, environment, adjustment.account_id as "accountId", currency, amount,
    (select operator from audit where target = adjustment.id and action = 'adjustment.propose' limit 1) as "proposedBy",
    (select operator from audit where target = adjustment.id and action = 'adjustment.approve' limit 1) as "approvedBy"
  from adjustment where id = any($1)
  union all
  select target, 'adjust', environment, account_id, request ->> 'currency', (request ->> 'amount_cents')::bigint,
    ${byOf('propose')}, ${byOf('approve')}
  from approval where target = any($1) and kind = 'exception.resolve' and state in ('APPLYING', 'APPLIED')
    and request ->> 'action' = 'adjust'
  union all
  select coalesce(request ->> 'line_id', approval.id), 'own-funds', environment, $2, request ->> 'currency',
    (request ->> 'amount_cents')::bigint, ${byOf('propose')}, ${byOf('approve')}
  from approval where coalesce(request ->> 'line_id', approval.id) = any($1) and kind = 'own-transfer.declare'
    and state in ('APPLYING', 'APPLIED')
  union all
  select regexp_replace(before ->> 'subject', '^line:\\w+:', ''), 'own-funds', environment, $2, before ->> 'currency',
    (before ->> 'line_cents')::bigint, ${byOf('propose')}, ${byOf('approve')}
  from approval where kind = 'exception.resolve' and state in ('APPLYING', 'APPLIED')
    and request ->> 'action' = 'declare' and before ->> 'subject' like 'line:%'
    and coalesce(request ->> 'with', split_part(before ->> 'subject', ':', 2)) = 'own_transfer'
    and regexp_replace(before ->> 'subject', '^line:\\w+:', '') = any($1)`;

/**
 * Who has proposed and approved adjustments and own transfers, by the audit trail, which is never changed; not by their own
 * rows. An adjustment that resolves an exception has the id of the exception; a transfer that of its line, or of the
 * approval. A line that was declared to be a fee, or of which nothing is booked, is none.
 */
export async function readAuditedAdjustments(
  database: Database,
  { ids }: RequestOf<typeof getAuditedAdjustments>,
): Promise<ReplyOf<typeof getAuditedAdjustments>> {
  return { adjustments: await database.query<AuditedAdjustment>(sql, [ids, treasuryAccountId]) };
}
