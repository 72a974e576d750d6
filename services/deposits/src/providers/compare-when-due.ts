import { DomainError } from '@gateway/contracts/errors';
import type { ProvidersDependencies } from '#src/providers/dependencies.ts';
import { compareProviderBalances } from '#src/providers/compare-provider-balances.ts';

const intervalSec = 60;
const retrySec = 5;

/** Compares every minute, in one process of all; soon again when the other services do not answer. */
export async function compareWhenDue(dependencies: ProvidersDependencies): Promise<void> {
  const { database, logger } = dependencies;
  const dueIn = 'update provider_balance_round set due_at = now() + make_interval(secs => $1)';
  const claimed = await database.query(`${dueIn} where due_at <= now() returning due_at`, [intervalSec]);
  if (claimed.length === 0) return;
  try {
    await compareProviderBalances(dependencies);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    logger.warn({ err: error }, 'the books cannot be read yet');
    await database.query(dueIn, [retrySec]);
  }
}
