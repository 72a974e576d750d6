import {
  insertOutboxRows,
  outboxCommitted,
  outboxParameters,
  WriteQueue,
  type Database,
  type OutboxRow,
} from '@gateway/persistence';
import { columnOf } from '#src/deposit/deposit-columns.ts';
import { PaymentEntity, type PaymentRow } from '#src/payment/payment-entity.ts';

interface Crediting {
  readonly payment: PaymentRow;
  readonly event: OutboxRow;
}

/**
 * The two steps of every payment: received, and credited. Payments that arrive at the same time share a statement, and
 * with it a commit. What a statement does not write, somebody else has decided: the caller looks.
 */
export class PaymentTable {
  readonly #database: Database;
  readonly #receiving: WriteQueue<PaymentRow, boolean>;
  readonly #crediting: WriteQueue<Crediting, boolean>;

  constructor(database: Database) {
    this.#database = database;
    this.#receiving = new WriteQueue((batch) => this.#receiveAll(batch), { keyOf: ({ depositId }) => depositId });
    this.#crediting = new WriteQueue((batch) => this.#creditAll(batch), {
      keyOf: ({ payment }) => payment.depositId,
    });
  }

  /** Remembers that money arrived. False when the deposit has a payment already, or takes none. */
  async receive(payment: PaymentRow): Promise<boolean> {
    return await this.#receiving.add(payment);
  }

  /**
   * The ledger has credited it: CREDITED, its deposit PAID, and the event that says so.
   * False when it is not waiting for that any more.
   */
  async credit(payment: PaymentRow, event: OutboxRow): Promise<boolean> {
    return await this.#crediting.add({ payment, event });
  }

  async #receiveAll(batch: readonly PaymentRow[]): Promise<boolean[]> {
    const written = await this.#database.query<{ id: string }>(receiveStatement, [JSON.stringify(batch)]);
    const ids = new Set(written.map(({ id }) => id));
    return batch.map(({ depositId }) => ids.has(depositId));
  }

  async #creditAll(batch: readonly Crediting[]): Promise<boolean[]> {
    const rows = JSON.stringify(batch.map(({ payment }) => payment));
    const events = batch.map(({ payment, event }) => ({ ...event, about: payment.depositId }));
    const written = await this.#database.query<{ id: string }>(creditStatement, [rows, ...outboxParameters(events)]);
    const ids = new Set(written.map(({ id }) => id));
    const done = batch.map(({ payment }) => ids.has(payment.depositId));
    outboxCommitted(
      this.#database,
      batch.flatMap(({ event }, index) => (done[index] ? [event] : [])),
    );
    return done;
  }
}

const members = Object.keys(PaymentEntity.meta.properties) as (keyof PaymentRow)[];

const columnTypes: Partial<Record<keyof PaymentRow, string>> = {
  amount: 'bigint',
  fee: 'bigint',
  releaseAt: 'bigint',
  payerDetails: 'jsonb',
  paidAt: 'timestamptz',
  attempts: 'integer',
  nextAttemptAt: 'timestamptz',
};

const typed = members.map((member) => `"${member}" ${columnTypes[member] ?? 'text'}`).join(', ');

const sameDeposit = `deposit.environment = row.environment and deposit.account_id = row."accountId"
      and deposit.id = row."depositId"`;

/**
 * $1: payments. The deposits are locked, so that none is canceled at the same time. These statements join the table of
 * deposits: unprepared, they are planned for the size it has now.
 */
const receiveStatement = `
  with row as materialized (
    select * from json_to_recordset($1::json) as row (${typed})
  ), open as (
    select deposit.id from row join deposit on ${sameDeposit}
    where deposit.state in ('PENDING', 'EXPIRED') order by deposit.id for update of deposit
  )
  insert into payment (${members.map(columnOf).join(', ')})
  select ${members.map((member) => `row."${member}"`).join(', ')} from row join open on open.id = row."depositId"
  on conflict do nothing
  returning deposit_id as id`;

/**
 * $1: payments; then the outbox rows of their events, one per deposit. The deposits are locked first and
 * in the order of their ids, as on receiving: a payment that is told twice would else wait for itself.
 */
const creditStatement = `
  with row as materialized (
    select * from json_to_recordset($1::json) as row (${typed})
  ), locked as materialized (
    select deposit.id from row join deposit on ${sameDeposit} order by deposit.id for update of deposit
  ), credited as (
    update payment set state = 'CREDITED', next_attempt_at = null from row join locked on locked.id = row."depositId"
    where payment.environment = row.environment and payment.provider = row.provider and payment.e2e_id = row."e2eId"
      and payment.state = 'RECEIVED'
    returning payment.deposit_id as id
  ), paid as (
    update deposit
    set state = 'PAID', amount = row.amount, fee = row.fee, paid_at = row."paidAt", e2e_id = row."e2eId",
      payer_details = row."payerDetails"
    from row join credited on credited.id = row."depositId"
    where ${sameDeposit} and deposit.state in ('PENDING', 'EXPIRED')
    returning deposit.id
  ), said as (
    ${insertOutboxRows(2, 'join paid on paid.id = event.about')}
  )
  select id from paid`;
