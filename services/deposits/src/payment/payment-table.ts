import { BatchStatement, type Database, type OutboxRow, WriteQueue } from '@gateway/persistence';
import { paymentColumns, type PaymentRow } from '#src/payment/payment-entity.ts';

interface Crediting {
  readonly row: PaymentRow;
  readonly event: OutboxRow;
}

/** What a busy process receives or credits within this time shares a statement and its commit. */
const stepPauseMs = 3;

/**
 * The steps of every payment: received, then credited or refused. Payments that arrive at the same time share a
 * statement, and with it a commit. What a statement does not write, another caller has decided already.
 */
export class PaymentTable {
  readonly #database: Database;
  readonly #receiving: WriteQueue<PaymentRow, boolean>;
  readonly #crediting: WriteQueue<Crediting, boolean>;

  constructor(database: Database) {
    this.#database = database;
    const receive = (batch: readonly PaymentRow[]) =>
      receipt.write(
        database,
        batch.map((row) => ({ row })),
      );
    const pauseMs = stepPauseMs;
    this.#receiving = new WriteQueue(receive, { keyOf: ({ depositId }) => depositId, pauseMs });
    const keyOf = ({ row }: Crediting) => row.depositId;
    this.#crediting = new WriteQueue((batch) => credit.write(database, batch), { keyOf, pauseMs });
  }

  /** Records that money arrived. False when the deposit has a payment already, or accepts none. */
  async receive(payment: PaymentRow): Promise<boolean> {
    return await this.#receiving.add(payment);
  }

  /**
   * After the ledger has credited it: the payment is CREDITED and its deposit PAID, with the event.
   * False when the payment is not waiting for that any more.
   */
  async credit(payment: PaymentRow, event: OutboxRow): Promise<boolean> {
    return await this.#crediting.add({ row: payment, event });
  }

  /** After the ledger has refused it for good. */
  async refuse({ environment, provider, e2eId }: PaymentRow, refusal: string): Promise<void> {
    await this.#database.query(
      `update payment set state = 'REFUSED', refusal = $4, next_attempt_at = null
       where environment = $1 and provider = $2 and e2e_id = $3 and state = 'RECEIVED'`,
      [environment, provider, e2eId, refusal],
    );
  }
}

const ofDeposit = `deposit.environment = row.environment and deposit.account_id = row."accountId"
      and deposit.id = row."depositId"`;

/**
 * The deposits are locked, so that none is canceled at the same time. These statements join the table of deposits:
 * unprepared, they are planned for the size it has now.
 */
const receipt = new BatchStatement<PaymentRow>({
  arrays: paymentColumns.arraysOf(paymentColumns.members),
  idOf: ({ depositId }) => depositId,
  sql: ({ rows }) => `
  with row as materialized (
    select * from ${rows('row')}
  ), open as (
    select deposit.id from row join deposit on ${ofDeposit}
    where deposit.state in ('PENDING', 'EXPIRED') order by deposit.id for update of deposit
  )
  insert into payment (${paymentColumns.listOf(paymentColumns.members)})
  select ${paymentColumns.members.map((member) => `row."${member}"`).join(', ')}
  from row join open on open.id = row."depositId"
  on conflict do nothing
  returning deposit_id as id`,
});

/**
 * The deposits are locked first and in the order of their ids, as on receiving: two batches that hold the same payment
 * would otherwise wait for each other.
 */
const credit = new BatchStatement<PaymentRow>({
  arrays: paymentColumns.arraysOf(paymentColumns.members),
  idOf: ({ depositId }) => depositId,
  sql: ({ rows, eventsOf }) => `
  with row as materialized (
    select * from ${rows('row')}
  ), locked as materialized (
    select deposit.id from row join deposit on ${ofDeposit} order by deposit.id for update of deposit
  ), credited as (
    update payment set state = 'CREDITED', next_attempt_at = null from row join locked on locked.id = row."depositId"
    where payment.environment = row.environment and payment.provider = row.provider and payment.e2e_id = row."e2eId"
      and payment.state = 'RECEIVED'
    returning payment.deposit_id as id
  ), paid as (
    update deposit
    set state = 'PAID', amount = row.amount, fee = row.fee, paid_at = row."paidAt",
      e2e_id = coalesce(row."trackingKey", row."e2eId"),
      payer_details = row."payerDetails"
    from row join credited on credited.id = row."depositId"
    where ${ofDeposit} and deposit.state in ('PENDING', 'EXPIRED')
    returning deposit.id
  ), events as (
    ${eventsOf('paid')}
  )
  select id from paid`,
});
