import type { EntityManager } from '@mikro-orm/postgresql';
import type { OutboxRow } from '#src/outbox-wake.ts';

/**
 * An open transaction. Functions that write take one as a parameter, so that a write outside a transaction does not
 * compile (style.md 4). Only `Database.transaction` creates them.
 */
export interface Tx {
  /**
   * This transaction's unit of work; flushed before commit. Flush it earlier where later `sql` must see its changes.
   */
  readonly em: EntityManager;
  /** One statement in this transaction, with `$1` parameters. int8 arrives as number, timestamptz as Date. */
  sql<Row extends object = Record<string, unknown>>(text: string, params?: readonly unknown[]): Promise<Row[]>;
  /** Runs after the commit, and only then. For wake-ups: what must happen belongs into the transaction. */
  afterCommit(hook: () => void): void;
  /** Passes an outbox row of this transaction to the relay after the commit, so that it need not be read. */
  outboxWritten(row: OutboxRow): void;
}
