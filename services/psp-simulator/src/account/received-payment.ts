import { allOf, wanted, type Database } from '@gateway/persistence';

/** A payment that arrived on a charge. */
export interface ReceivedPayment {
  readonly id: number;
  readonly dialect: string;
  readonly chargeId: number;
  readonly e2eId: string;
  readonly amount: number;
  readonly payer: Payer;
  readonly paidAt: Date;
}

export interface Payer {
  readonly name: string;
  /** CPF or CNPJ without punctuation; RFC or CURP on SPEI. */
  readonly document: string;
}

/** The documentation's own persons. */
export const usualPayers = {
  pix: { name: 'FULANO DE TAL', document: '12345678909' },
  spei: { name: 'JUAN PEREZ', document: 'XAXX010101000' },
} as const satisfies Record<string, Payer>;

/** Columns of a `ReceivedPayment`, for `select`. */
export const paymentColumns =
  'p.id, p.dialect, p.charge_id as "chargeId", p.e2e_id as "e2eId", p.amount, p.payer, p.paid_at as "paidAt"';

export async function findPayment(database: Database, e2eId: string): Promise<ReceivedPayment | null> {
  const [payment] = await database.query<ReceivedPayment>(
    `select ${paymentColumns} from received_payment p where p.e2e_id = $1`,
    [e2eId],
    'find-payment',
  );
  return payment ?? null;
}

/** Oldest first. */
export async function paymentsOf(
  database: Database,
  chargeId: number,
): Promise<(ReceivedPayment & { readonly hasRefunds: boolean })[]> {
  return await database.query(
    `select ${paymentColumns}, exists (select from refund r where r.payment_id = p.id) as "hasRefunds"
       from received_payment p where p.charge_id = $1 order by p.paid_at, p.id`,
    [chargeId],
    'payments-of-charge',
  );
}

export interface PaymentPage {
  readonly payments: readonly (ReceivedPayment & { readonly reference: string; readonly details: unknown })[];
  readonly total: number;
}

/** Payments of a period, oldest first, each with the charge it was made on. */
export async function listPayments(
  database: Database,
  query: {
    readonly dialect: string;
    readonly from: Date;
    readonly to: Date;
    readonly charge?: string;
    /** Only those that went back, in part at least; or only the others. */
    readonly hasReturns?: boolean;
    readonly skip: number;
    readonly limit: number;
  },
): Promise<PaymentPage> {
  const { dialect, from, to, charge, hasReturns, skip, limit } = query;
  const params: unknown[] = [];
  const asked = { sql: `(${paymentsOfCharge})`, values: [dialect, charge, dialect, charge] };
  const source = charge === undefined ? 'received_payment' : allOf([asked], params);
  const where = allOf(
    [
      { sql: 'p.dialect = ? and p.paid_at between ? and ?', values: [dialect, from, to] },
      ...wanted('exists (select 1 from refund r where r.payment_id = p.id) = ?', hasReturns),
    ],
    params,
  );
  // One prepared statement for each set of conditions.
  const shape = `${charge === undefined ? '' : '-of-charge'}${hasReturns === undefined ? '' : '-by-returns'}`;
  const [count] = await database.query<{ total: number }>(
    `select count(*) as total from ${source} p where ${where}`,
    params,
    `count-payments${shape}`,
  );
  const payments = await database.query<PaymentPage['payments'][number]>(
    `select ${paymentColumns}, c.reference, c.details from (
        select * from ${source} p where ${where}
        order by paid_at, id offset $${params.push(skip)} limit $${params.push(limit)}
      ) p join charge c on c.id = p.charge_id order by p.paid_at, p.id`,
    params,
    `list-payments${shape}`,
  );
  return { payments, total: count?.total ?? 0 };
}

/**
 * Of a charge by the integrator's name or by its own. Each name has an index, and `offset 0` keeps the planner from reading all
 * payments of the period instead.
 */
const paymentsOfCharge = `select found.* from (
    select id from charge where dialect = ? and reference = ?
    union all select id from charge where dialect = ? and details ->> 'transactionID' = ?
  ) named cross join lateral (select * from received_payment where charge_id = named.id offset 0) found`;
