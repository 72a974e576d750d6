import type { Environment } from '@gateway/contracts/values';
import { recordsOf } from '#src/comparisons/ask-again.ts';
import { lockMatching } from '#src/matching/lock-matching.ts';
import type { SidesDependencies } from '#src/sides/read-ledger.ts';
import { enterChanged } from '#src/sides/read-records.ts';
import { factsOfRecord } from '#src/sides/record-facts.ts';

const pageMatches = 400;
/** A refund has been sent by then, if it is going to be sent at once. */
const sentWithinMs = 10_000;

interface WaitingRefund {
  readonly subject: string;
  readonly accountId: string | null;
  readonly firstSeenAt: Date;
}

/** The index `match_refund_without_line` has them. */
const refundsSql = `
  select subject, account_id as "accountId", first_seen_at as "firstSeenAt" from match
  where state = 'waiting' and kind = 'refund' and p_items = 0 and environment = $1
    and (first_seen_at, subject) > ($2, $3) and first_seen_at <= $4
  order by first_seen_at, subject limit ${pageMatches}`;

/**
 * Asks again for refunds that wait for their line. The ledger books a refund before it is sent, so its record was read
 * without the id that the provider gave the return: where a statement names it by that alone, it is found when the
 * record is read once more.
 */
export async function askForReturns(dependencies: SidesDependencies, environment: Environment): Promise<void> {
  const { database, sources, now } = dependencies;
  const readAt = now();
  const until = new Date(readAt.getTime() - sentWithinMs);
  let after: Omit<WaitingRefund, 'accountId'> | undefined = { firstSeenAt: new Date(0), subject: '' };
  while (after) {
    const place = [after.firstSeenAt, after.subject];
    const page: WaitingRefund[] = await database.query(refundsSql, [environment, ...place, until]);
    if (page.length === 0) return;
    const records = await sources.records(environment, recordsOf(page));
    const facts = records.flatMap((record) => factsOfRecord(environment, record, readAt.getTime()));
    await database.transaction(async (tx) => {
      await lockMatching(tx, [{ environment }]);
      await enterChanged(tx, facts, now());
    });
    after = page.length < pageMatches ? undefined : page.at(-1);
  }
}
