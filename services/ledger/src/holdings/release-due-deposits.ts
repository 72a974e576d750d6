import type { LedgerCommand } from '@gateway/contracts/ledger';
import type { Environment } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import type { AskLedger } from '#src/ask-ledger.ts';

const releasesPerRoundMax = 500;

interface PendingDeposit {
  readonly id: string;
  readonly environment: Environment;
  readonly accountId: string;
  readonly currency: LedgerCommand['currency'];
  readonly amount: number;
}

const columns = `id, environment, account_id as "accountId", currency, held as amount`;

/** Due by this process's clock and by PostgreSQL's: a clock that is ahead would release retained money early. */
const dueSql = `
  select ${columns} from reference
  where environment = $1 and kind = 'deposit' and held > 0
    and due_at <= least($2::bigint, floor(extract(epoch from clock_timestamp()))::bigint)
  order by due_at limit $3`;

const pendingSql = `
  select ${columns} from reference
  where environment = $1 and kind = 'deposit' and held > 0 and account_id = $2 limit $3`;

/**
 * Sends the ledger a release command for each deposit whose retention has ended. It is a command in the stream like any
 * other, so it has its place in the order of events. The row stays due until it is applied, so no release is lost.
 *
 * @returns true when there may be more
 */
export async function releaseDueDeposits(
  database: Database,
  ask: AskLedger,
  environment: Environment,
  atSec: number,
): Promise<boolean> {
  const due = await database.query<PendingDeposit>(dueSql, [environment, atSec, releasesPerRoundMax], 'releases-due');
  const released = await release(ask, due);
  return released && due.length === releasesPerRoundMax;
}

/** Releases everything pending of one account now (test mode). */
export async function releaseAllPending(
  database: Database,
  ask: AskLedger,
  environment: Environment,
  accountId: string,
): Promise<void> {
  for (let more = true; more;) {
    const params = [environment, accountId, releasesPerRoundMax];
    const pending = await database.query<PendingDeposit>(pendingSql, params, 'releases-pending');
    const released = await release(ask, pending);
    more = released && pending.length === releasesPerRoundMax;
  }
}

/** @returns whether any was released, so that a round without effect is not repeated immediately */
async function release(ask: AskLedger, deposits: readonly PendingDeposit[]): Promise<boolean> {
  const results = await Promise.all(deposits.map((deposit) => ask(releaseCommand(deposit))));
  return results.some((result) => result.outcome === 'applied');
}

/** One command id per deposit, so it is released once, however many processes try. */
function releaseCommand({ id, environment, accountId, currency, amount }: PendingDeposit): LedgerCommand {
  return {
    kind: 'release-pending',
    id: `release-pending:${id}`,
    environment,
    accountId,
    currency,
    depositId: id,
    amount,
  };
}
