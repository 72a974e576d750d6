import { level } from '@gateway/runtime';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';

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

const attentionSql = `
  select environment, 'refund' as record, count(*)::int as records
  from refund where attention_at is not null group by 1
  union all
  select environment, 'orphan_receipt', count(*)::int
  from orphan_receipt where attention_at is not null group by 1
  union all
  select environment, 'dispute', count(*)::int from dispute where attention_at is not null group by 1`;

/** For alerts: what does not end, and what waits for an operator. */
export async function observeOpen({ database, now }: ProviderFeedDependencies): Promise<void> {
  const open = await database.query<{ environment: string; record: string; since: Date }>(openSql);
  const waiting = await database.query<{ environment: string; record: string; records: number }>(attentionSql);
  for (const environment of environments) {
    for (const record of records) {
      oldest.set(0, { environment, record });
      attention.set(0, { environment, record });
    }
  }
  const nowMs = now().getTime();
  for (const { since, ...of } of open) oldest.set(Math.max((nowMs - since.getTime()) / 1_000, 0), of);
  for (const { records: waitingNow, ...of } of waiting) attention.set(waitingNow, of);
}
