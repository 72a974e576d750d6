import { level } from '@gateway/runtime';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';

/** What has not come to its end by then is for operators. */
const overdueAfterMs = 25 * 60_000;

/** Each statement looks at what is open alone. */
const statements = [
  `update refund set attention = 'overdue', attention_at = $1
   where next_attempt_at is not null and attention_at is null and created_at <= $2 returning 'refund' as record, id`,
  `update orphan_receipt set attention = 'overdue', attention_at = $1
   where next_attempt_at is not null and attention_at is null and returning_since <= $2
   returning 'orphan_receipt' as record, id`,
  `update dispute set attention = 'overdue', attention_at = $1
   where step_since <= $2 and attention_at is null returning 'dispute' as record, id`,
];

/** Puts refunds, orphan receipts and steps of disputes that are not ended after 25 minutes into the operators' queue. */
export async function markOverdue({ database, logger, now }: ProviderFeedDependencies): Promise<void> {
  const at = now();
  const before = new Date(at.getTime() - overdueAfterMs);
  for (const statement of statements) {
    const overdue = await database.query<{ record: string; id: string }>(statement, [at, before]);
    for (const { record, id } of overdue)
      logger.error({ record, recordId: id }, 'what should have ended needs an operator');
  }
}

const labels = ['environment', 'record'] as const;
const environments = ['live', 'test'] as const;
const records = ['refund', 'orphan_receipt', 'dispute', 'evidence'] as const;

const oldest = level(
  'gateway_returns_oldest_open_seconds',
  'Age of the oldest refund, receipt of nobody or step of a dispute that has not come to its end, in seconds',
  labels,
);
const attention = level(
  'gateway_returns_attention',
  'Refunds, receipts of nobody and disputes that will not end without an operator',
  labels,
);

const recheckOverdue = level(
  'gateway_returns_recheck_overdue_seconds',
  'How long the question about a failed refund or return of an orphan receipt is overdue that has waited longest, in seconds',
  labels,
);

/** Each part is found by an index of what is open, however much there has been. */
const openSql = `
  select environment, 'refund' as record, min(created_at) as since
  from refund where next_attempt_at is not null group by 1
  union all
  select environment, 'orphan_receipt', min(returning_since)
  from orphan_receipt where next_attempt_at is not null group by 1
  union all
  select environment, 'dispute', min(step_since) from dispute where step_since is not null group by 1
  union all
  select environment, 'evidence', min(created_at)
  from dispute_evidence where next_attempt_at is not null group by 1`;

const recheckSql = `
  select environment, 'refund' as record, min(recheck_planned_at) as since
  from refund where recheck_at is not null and recheck_planned_at <= $1 group by 1
  union all
  select environment, 'orphan_receipt', min(recheck_planned_at)
  from orphan_receipt where recheck_at is not null and recheck_planned_at <= $1 group by 1`;

/** What will not end without an operator. */
export const stuckRecords = ['refund', 'orphan_receipt', 'dispute'] as const;

/** How many of them there are in each environment, and since when. */
export function stuckSql(record: (typeof stuckRecords)[number]): string {
  return `select environment, count(*)::int as count, min(attention_at) as oldest
          from ${record} where attention_at is not null group by environment`;
}

/** For alerts: what does not end, and what waits for an operator. */
export async function observeOpen({ database, now }: ProviderFeedDependencies): Promise<void> {
  const open = await database.query<{ environment: string; record: string; since: Date }>(openSql);
  const overdue = await database.query<{ environment: string; record: string; since: Date }>(recheckSql, [now()]);
  for (const environment of environments) {
    for (const record of records) {
      oldest.set(0, { environment, record });
      attention.set(0, { environment, record });
    }
    for (const record of ['refund', 'orphan_receipt']) recheckOverdue.set(0, { environment, record });
  }
  const nowMs = now().getTime();
  for (const { since, ...of } of open) oldest.set(Math.max((nowMs - since.getTime()) / 1_000, 0), of);
  for (const { since, ...of } of overdue) recheckOverdue.set((nowMs - since.getTime()) / 1_000, of);
  for (const record of stuckRecords) {
    const stuck = await database.query<{ environment: string; count: number }>(stuckSql(record));
    for (const { environment, count } of stuck) attention.set(count, { environment, record });
  }
}
