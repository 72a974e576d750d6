import type { AttentionQuery } from '@gateway/messaging';
import { waitingItems } from '@gateway/provider-feeds';

/** Evidence is asked for in time to be written. */
const evidenceWithin = `interval '24 hours'`;

function stuckOf(table: string): string {
  return `select environment, count(*)::int as count, min(attention_at) as oldest
          from ${table} where attention_at is not null group by environment`;
}

/** What operators have to look at: what does not end by itself, disputes without evidence, providers that hold another sum. */
export const waitingReturns: readonly AttentionQuery[] = [
  { kind: 'refund_stuck', sql: stuckOf('refund') },
  { kind: 'orphan_receipt_stuck', sql: stuckOf('orphan_receipt') },
  { kind: 'dispute_stuck', sql: stuckOf('dispute') },
  {
    kind: 'dispute_due',
    sql: `select environment, count(*)::int as count, min(opened_at) as oldest from dispute
          where resolved_at is null and state = 'OPEN'
            and defense_due_at > now() and defense_due_at < now() + ${evidenceWithin} group by environment`,
  },
  {
    kind: 'provider_difference',
    sql: `select 'live' as environment, count(*)::int as count, min(differs_since) as oldest
          from provider_balance where differs_since is not null having count(*) > 0`,
  },
  waitingItems,
];
