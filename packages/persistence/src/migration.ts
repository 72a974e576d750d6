/** One step of a service's schema: plain SQL, applied once, in the order of the list. */
export interface SqlMigration {
  /** `0001-payouts`: unique within the service, never renamed. */
  readonly name: string;
  /**
   * Indexes of tables that may be large already, in the order given. They are built before `sql` and without blocking
   * those who write to the table, each in a transaction of its own: they can use no column that `sql` adds.
   */
  readonly indexes?: readonly ConcurrentIndex[];
  /** One transaction, which also records that the migration ran. Every other process waits for the locks it takes. */
  readonly sql?: string;
}

export interface ConcurrentIndex {
  /** Unlike every index before it. One that takes the place of another is renamed by the `sql` that drops the other. */
  readonly name: string;
  readonly unique?: boolean;
  /** What follows `on`: `payout (key, id)`. */
  readonly on: string;
}
