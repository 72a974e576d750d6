import { DomainError } from '@gateway/contracts/errors';
import type { Tx } from '@gateway/persistence';
import type { Owner } from '#src/endpoints/endpoint.ts';

/** Replays, or recoveries, of one account in one environment that are not done. */
const pendingMax = 5;
const retryAfterSec = 5;

/**
 * Lets one account count what it asks for once at a time, and wait for few of them: every count holds a connection that
 * deliveries need, too. The lock is given up with the transaction.
 *
 * @param pending a statement that answers one row for each that is not done, with the environment and the account as $1
 *   and $2
 * @throws DomainError RATE_LIMITED
 */
export async function requireFewPending(tx: Tx, { environment, accountId }: Owner, pending: string): Promise<void> {
  const [lock] = await tx.sql<{ free: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended('sent again ' || $1 || ' ' || $2, 0)) as free",
    [environment, accountId],
  );
  if (!lock?.free) throw tooMany('another replay or recovery of the account is being counted');
  const rows = await tx.sql(`${pending} limit ${pendingMax}`, [environment, accountId]);
  if (rows.length >= pendingMax) throw tooMany(`${pendingMax} of the account are not done: wait for them`);
}

function tooMany(message: string): DomainError {
  return new DomainError('RATE_LIMITED', message, { retryAfterSec });
}
