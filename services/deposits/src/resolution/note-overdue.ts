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

/** Puts refunds, receipts of nobody and steps of disputes that do not end into the operators' queue, 25 minutes old. */
export async function noteOverdue({ database, logger, now }: ProviderFeedDependencies): Promise<void> {
  const at = now();
  const before = new Date(at.getTime() - overdueAfterMs);
  for (const statement of statements) {
    const overdue = await database.query<{ record: string; id: string }>(statement, [at, before]);
    for (const { record, id } of overdue)
      logger.error({ record, recordId: id }, 'what should have ended needs an operator');
  }
}
