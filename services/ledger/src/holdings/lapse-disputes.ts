import type { LedgerCommand } from '@gateway/contracts/ledger';
import type { Environment } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import type { AskLedger } from '#src/ask-ledger.ts';

const lapsesPerRoundMax = 500;
const daySec = 86_400;

/** Due by this process's clock and by PostgreSQL's: a lapsed shortfall is our loss. */
const dueSql = `
  select id, account_id as "accountId", currency from reference
  where environment = $1 and kind = 'dispute' and shortfall > 0
    and due_at <= least($2::bigint, floor(extract(epoch from clock_timestamp()))::bigint)
  order by id limit $3`;

type DueDispute = Pick<LedgerCommand, 'accountId' | 'currency'> & { readonly id: string };

/**
 * Ends the shortfalls of disputes whose time is over (api.md 2), by commands in the stream like any other. There is one
 * attempt a day for each, since a refused command stays refused and the writer decides by its own clock.
 *
 * @returns true when there may be more
 */
export async function lapseDisputes(
  database: Database,
  ask: AskLedger,
  environment: Environment,
  atSec: number,
): Promise<boolean> {
  const due = await database.query<DueDispute>(dueSql, [environment, atSec, lapsesPerRoundMax], 'lapses-due');
  const day = Math.floor(atSec / daySec);
  const results = await Promise.all(
    due.map(({ id, accountId, currency }) =>
      ask({
        kind: 'lapse-dispute',
        id: `lapse-dispute:${id}:${day}`,
        environment,
        accountId,
        currency,
        disputeId: id,
      }),
    ),
  );
  return (
    due.length === lapsesPerRoundMax && results.some(({ outcome, replayed }) => outcome === 'applied' && !replayed)
  );
}
