import type { Database } from '#src/database.ts';
import { insertOutboxRows, outboxCommitted, outboxParameters } from '#src/outbox-row.ts';
import type { OutboxRow } from '#src/outbox-wake.ts';
import type { RowArrays } from '#src/row-arrays.ts';

interface Written<Row> {
  readonly row: Row;
  /** Written with the row, or not at all. */
  readonly event?: OutboxRow | undefined;
}

interface Parts {
  /** For `from`: the rows of the batch under an alias. */
  readonly rows: (alias: string) => string;
  /** Writes the events of the records whose ids this part of the statement returns. */
  readonly eventsOf: (written: string) => string;
}

interface Description<Row> {
  /** Prepared under this name; left out where the plan should follow from the size the tables have now. */
  readonly name?: string;
  readonly arrays: RowArrays<keyof Row & string>;
  readonly idOf: (row: Row) => string;
  /** Answers the ids of the records that were written, as `id`. */
  readonly sql: (parts: Parts) => string;
}

/**
 * One statement that writes a batch of rows together with the events about them: what `emit` is for a transaction of
 * several statements, for the writes that are too many to have a transaction each.
 */
export class BatchStatement<Row extends object> {
  readonly #description: Description<Row>;
  readonly #sql: string;
  /** A statement that writes no events has no parameters for them. */
  #writesEvents = false;

  constructor(description: Description<Row>) {
    const { arrays } = description;
    this.#description = description;
    this.#sql = description.sql({
      rows: (alias) => arrays.from(1, alias),
      eventsOf: (written) => {
        this.#writesEvents = true;
        return insertOutboxRows(arrays.count + 1, `join ${written} on ${written}.id = event.about`);
      },
    });
  }

  /** Answers for each row, in order, whether it was written. */
  async write(database: Database, batch: readonly Written<Row>[]): Promise<boolean[]> {
    const { arrays, idOf, name } = this.#description;
    const events = batch.flatMap(({ row, event }) => (event ? [{ ...event, about: idOf(row) }] : []));
    if (events.length > 0 && !this.#writesEvents)
      throw new Error('a statement without an outbox cannot write an event');
    const parameters = arrays.parametersOf(batch.map(({ row }) => row));
    if (this.#writesEvents) parameters.push(...outboxParameters(events));
    const written = await database.query<{ id: string }>(this.#sql, parameters, name);
    const ids = new Set(written.map(({ id }) => id));
    outboxCommitted(
      database,
      batch.flatMap(({ row, event }) => (event && ids.has(idOf(row)) ? [event] : [])),
    );
    return batch.map(({ row }) => ids.has(idOf(row)));
  }
}
