import type { AttentionQuery, BacklogQuery } from '@gateway/messaging';
import { waitingItems } from '@gateway/provider-feeds';
import { stuckRecords, stuckSql } from '#src/resolution/watch-open-returns.ts';

/** Evidence is asked for in time to be written. */
const evidenceWithin = `interval '24 hours'`;

/** What operators have to look at: what does not end by itself, disputes without evidence, providers that hold another sum. */
export const waitingReturns: readonly AttentionQuery[] = [
  ...stuckRecords.map((record) => ({ kind: `${record}_stuck` as const, sql: stuckSql(record) })),
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

/** Refunds whose next step is taken without a person. */
export const refundsUnderWay: readonly BacklogQuery[] = [
  {
    kind: 'refund',
    sql: `select environment, count(*)::int as count from refund where next_attempt_at is not null group by environment`,
  },
];
