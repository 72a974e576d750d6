import {
  insertOutboxRows,
  outboxCommitted,
  outboxParameters,
  WriteQueue,
  type Database,
  type OutboxRow,
} from '@gateway/persistence';
import { columnOf, depositArrays, depositMembers } from '#src/deposit/deposit-columns.ts';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';

interface Inserting {
  readonly deposit: DepositRow;
  readonly event: OutboxRow | undefined;
}

/**
 * New records. Creating deposits is the busiest thing this service does, so those that arrive at the same time share one
 * statement, and one commit.
 */
export class DepositTable {
  readonly #database: Database;
  readonly #inserting = new WriteQueue((batch: readonly Inserting[]) => this.#insertAll(batch));

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Writes a new record, and what is said about it where it is complete already, in one transaction.
   *
   * @returns false when the external_id is taken, and nothing was written
   */
  async insert(deposit: DepositRow, event?: OutboxRow): Promise<boolean> {
    return await this.#inserting.add({ deposit, event });
  }

  async #insertAll(batch: readonly Inserting[]): Promise<boolean[]> {
    const events = batch.flatMap(({ deposit, event }) => (event ? [{ ...event, about: deposit.id }] : []));
    const rows = depositArrays.parametersOf(batch.map(({ deposit }) => deposit));
    const written = await this.#database.query<{ id: string }>(
      insertStatement,
      [...rows, ...outboxParameters(events)],
      'insert-deposit',
    );
    const ids = new Set(written.map(({ id }) => id));
    const said = batch.flatMap(({ deposit, event }) => (event && ids.has(deposit.id) ? [event] : []));
    outboxCommitted(this.#database, said);
    return batch.map(({ deposit }) => ids.has(deposit.id));
  }
}

/**
 * Deposits as arrays, then the outbox rows that say so. Answers the ids that were written; the others' external_id is
 * taken, by an older record or by one of the same batch, and nothing is said of them.
 */
const insertStatement = `
  with inserted as (
    insert into deposit (${depositMembers.map(columnOf).join(', ')})
    select ${depositMembers.map((member) => `"${member}"`).join(', ')}
    from ${depositArrays.from(1, 'draft')}
    on conflict on constraint deposit_external_id_once do nothing
    returning id
  ), said as (
    ${insertOutboxRows(depositMembers.length + 1, 'join inserted on inserted.id = event.about')}
  )
  select id from inserted`;
