import type { Database } from '#src/database.ts';
import type { Tx } from '#src/tx.ts';

/** What reads with a statement: a database, or an open transaction as `queriesIn`. */
export type Queries = Pick<Database, 'query'>;

/** A transaction for what reads from a database: its statements are the transaction's, and are not prepared. */
export function queriesIn(tx: Pick<Tx, 'sql'>): Queries {
  return { query: (text, params) => tx.sql(text, params) };
}
