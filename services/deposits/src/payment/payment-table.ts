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

  /** Records that money arrived. False when the deposit has a payment already or accepts none, or it counts elsewhere. */
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

/**
 * The deposit of a row, locked. Rows are sorted before, so that two batches that hold the same deposit never wait for each
 * other. By its key alone and with `offset 0`: a prepared statement keeps the plan it was given while its tables were
 * young, when PostgreSQL expects to find as much by any other index.
 */
const lockDeposits = `(select * from row order by "depositId") row cross join lateral (
      select deposit.state from deposit
      where deposit.environment = row.environment and deposit.account_id = row."accountId"
        and deposit.id = row."depositId"
      offset 0 for update
    ) deposit`;

/**
 * The deposits are locked, so that none is canceled at the same time, and then the names of what arrived, in their order: a
 * transfer that is sorted out for another deposit is waited for, and what it became is seen.
 */
const receipt = new BatchStatement<PaymentRow>({
  name: 'receive-payment',
  arrays: paymentColumns.arraysOf(paymentColumns.members),
  idOf: ({ depositId }) => depositId,
  sql: ({ rows }) => `
  with row as materialized (
    select * from ${rows('row')}
  ), open as (
    select row.* from ${lockDeposits}
    where deposit.state in ('PENDING', 'EXPIRED')
  ), named as (
    select * from open order by "e2eId" offset 0
  )
  insert into payment (${paymentColumns.listOf(paymentColumns.members)})
  select ${paymentColumns.members.map((member) => `"${member}"`).join(', ')} from named
  where not counts_elsewhere(environment, provider, "e2eId", "depositId")
  on conflict do nothing
  returning deposit_id as id`,
});

/** The deposits are locked first, as on receiving, and then the payments: what both are is decided before either changes. */
const credit = new BatchStatement<PaymentRow>({
  name: 'credit-payment',
  arrays: paymentColumns.arraysOf(paymentColumns.members),
  idOf: ({ depositId }) => depositId,
  sql: ({ rows, eventsOf }) => `
  with row as materialized (
    select * from ${rows('row')}
  ), locked as materialized (
    select row.*, deposit.state as "depositState" from ${lockDeposits}
  ), received as materialized (
    select locked.* from locked cross join lateral (
      select payment.state from payment
      where payment.environment = locked.environment and payment.provider = locked.provider
        and payment.e2e_id = locked."e2eId"
        and payment.account_id = locked."accountId" and payment.deposit_id = locked."depositId"
      offset 0 for update
    ) payment
    where payment.state = 'RECEIVED'
  ), credited as (
    update payment set state = 'CREDITED', next_attempt_at = null from received
    where payment.environment = received.environment and payment.provider = received.provider
      and payment.e2e_id = received."e2eId"
      and payment.account_id = received."accountId" and payment.deposit_id = received."depositId"
    returning received.*
  ), paid as (
    update deposit
    set state = 'PAID', amount = credited.amount, fee = credited.fee, paid_at = credited."paidAt",
      e2e_id = coalesce(credited."trackingKey", credited."e2eId"), payer_details = credited."payerDetails"
    from credited
    where deposit.environment = credited.environment and deposit.account_id = credited."accountId"
      and deposit.id = credited."depositId" and credited."depositState" in ('PENDING', 'EXPIRED')
    returning deposit.id
  ), events as (
    ${eventsOf('paid')}
  )
  select id from paid`,
});
