import type { Environment } from '@gateway/contracts/values';
import type { Tx } from '@gateway/persistence';

const lockNumbers: Readonly<Record<Environment, number>> = { live: 7_471_001, test: 7_471_002 };

/** Both, as a statement. */
export const lockAllMatching = `select ${Object.values(lockNumbers)
  .map((number) => `pg_advisory_xact_lock(${number})`)
  .join(', ')}`;

/**
 * Whatever changes a match holds this until its transaction ends, so that each change sees the one before. Both are taken
 * in the same order by all.
 */
export async function lockMatching(tx: Tx, items: readonly { readonly environment: Environment }[]): Promise<void> {
  const environments = new Set(items.map(({ environment }) => environment));
  for (const environment of ['live', 'test'] as const) {
    if (environments.has(environment)) await tx.sql('select pg_advisory_xact_lock($1)', [lockNumbers[environment]]);
  }
}
