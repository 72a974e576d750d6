import { BatchStatement, WriteQueue, type Database, type OutboxRow } from '@gateway/persistence';
import { depositColumns, type DepositRow } from '#src/deposit/deposit-entity.ts';

interface Writing {
  readonly row: DepositRow;
  readonly event?: OutboxRow | undefined;
}

/** What a busy process creates within this time shares a statement and its commit. */
const creationPauseMs = 2;

/**
 * The statements of a deposit's creation. Creating deposits is the busiest thing this service does, so the records that
 * are inserted, or opened, at the same time share one statement and one commit.
 */
export class DepositTable {
  readonly #database: Database;
  readonly #inserting: WriteQueue<Writing, boolean>;
  readonly #opening: WriteQueue<Writing, boolean>;

  constructor(database: Database) {
    this.#database = database;
    const pauseMs = creationPauseMs;
    this.#inserting = new WriteQueue((batch) => insertion.write(database, batch), { pauseMs });
    this.#opening = new WriteQueue((batch) => opening.write(database, batch), { keyOf: ({ row }) => row.id, pauseMs });
  }

  /**
   * Inserts a new record, in one transaction with its event where it is complete already.
   *
   * @returns false when the external_id is taken, and nothing was written
   */
  async insert(row: DepositRow, event?: OutboxRow): Promise<boolean> {
    return await this.#inserting.add({ row, event });
  }

  /**
   * Writes the charge into a claimed record, with the event of its creation.
   *
   * @param row as it is from then on
   * @returns false when the record is not CREATING at that provider any more, and nothing was written
   */
  async open(row: DepositRow, event: OutboxRow): Promise<boolean> {
    return await this.#opening.add({ row, event });
  }

  /** Names another provider in a claimed record. False when it is not CREATING any more. */
  async reassign({ environment, accountId, id }: DepositRow, provider: string): Promise<boolean> {
    const rows = await this.#database.query(
      `update deposit set provider = $4 where environment = $1 and account_id = $2 and id = $3 and state = 'CREATING'
       returning id`,
      [environment, accountId, id, provider],
    );
    return rows.length > 0;
  }

  /** Removes a claimed record, so that its external_id is free again. */
  async abandon({ environment, accountId, id }: DepositRow): Promise<void> {
    await this.#database.query(
      `delete from deposit where environment = $1 and account_id = $2 and id = $3 and state = 'CREATING'`,
      [environment, accountId, id],
    );
  }
}

/** What only a payment writes: a new record has it from the table's defaults. */
const paymentMembers = [
  'refunded',
  'received',
  'payerDetails',
  'e2eId',
  'paidAt',
] as const satisfies readonly (keyof DepositRow)[];
const newMembers = depositColumns.membersWithout(paymentMembers);

/** A row that is left out has a taken external_id: of an older record, or of one in the same batch. */
const insertion = new BatchStatement<DepositRow>({
  name: 'insert-deposit',
  arrays: depositColumns.arraysOf(newMembers),
  idOf: ({ id }) => id,
  sql: ({ rows, eventsOf }) => `
  with inserted as (
    insert into deposit (${depositColumns.listOf(newMembers)})
    select ${newMembers.map((member) => `"${member}"`).join(', ')} from ${rows('draft')}
    on conflict on constraint deposit_external_id_once do nothing
    returning id
  ), events as (
    ${eventsOf('inserted')}
  )
  select id from inserted`,
});

/** What the provider's answer adds to a record. */
const chargeMembers = [
  'state',
  'providerRef',
  'emv',
  'clabe',
  'beneficiary',
  'redirectUrl',
  'qrUrl',
  'creationDueAt',
] as const;

/** The records are locked in the order of their ids, so that two batches never wait for each other. */
const opening = new BatchStatement<DepositRow>({
  name: 'open-deposit',
  arrays: depositColumns.arraysOf(['environment', 'accountId', 'id', 'provider', ...chargeMembers]),
  idOf: ({ id }) => id,
  sql: ({ rows, eventsOf }) => `
  with row as materialized (
    select * from ${rows('row')}
  ), claimed as materialized (
    select row.* from (select * from row order by id) row cross join lateral (
      select deposit.state, deposit.provider from deposit
      where deposit.environment = row.environment and deposit.account_id = row."accountId" and deposit.id = row.id
      offset 0 for update
    ) deposit
    where deposit.state = 'CREATING' and deposit.provider = row.provider
  ), opened as (
    update deposit set ${depositColumns.assignedFrom('claimed', chargeMembers)}
    from claimed
    where deposit.environment = claimed.environment and deposit.account_id = claimed."accountId"
      and deposit.id = claimed.id
    returning deposit.id
  ), events as (
    ${eventsOf('opened')}
  )
  select id from opened`,
});
