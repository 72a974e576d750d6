import type { OperatorPayout } from '@gateway/contracts/payouts';
import type { Database } from '@gateway/persistence';
import type { OperatorAct } from '#src/approvals/audit.ts';

/** What one operator approves alone of live payouts, in cents of BRL: each of them, and all of a day (UTC). */
export interface ApprovalLimit {
  readonly eachCentsMax: number;
  readonly dayCentsMax: number;
}

/**
 * Takes a payout from what an operator may approve alone today, before it is approved: a process that ends in between has
 * counted one too many. It counts for each operator who took it, once, whatever becomes of it: what one has taken is not
 * given back by another who tries the same.
 *
 * @returns false, and nothing is taken, beyond the limits, which are in BRL alone: it takes two operators
 */
export async function takeFromLimit(
  database: Database,
  { eachCentsMax, dayCentsMax }: ApprovalLimit,
  { operator, at }: OperatorAct,
  { id, currency, amount }: Pick<OperatorPayout, 'id' | 'currency' | 'amount'>,
): Promise<boolean> {
  if (currency !== 'BRL' || amount > eachCentsMax) return false;
  const midnight = new Date(at);
  midnight.setUTCHours(0, 0, 0, 0);
  return await database.transaction(async (tx) => {
    // Two approvals by one operator at the same time: the second sees what the first has taken.
    await tx.sql('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`approval-limit ${operator}`]);
    const [taken] = await tx.sql<{ cents: number }>(
      `select coalesce(sum(amount_cents), 0)::bigint as cents from payout_within_limit
        where operator = $1 and approved_at >= $2 and payout_id <> $3`,
      [operator, midnight, id],
    );
    if ((taken?.cents ?? 0) + amount > dayCentsMax) return false;
    await tx.sql(
      `insert into payout_within_limit (payout_id, operator, amount_cents, approved_at) values ($1, $2, $3, $4)
       on conflict (payout_id, operator) do update set approved_at = excluded.approved_at`,
      [id, operator, amount, at],
    );
    return true;
  });
}
