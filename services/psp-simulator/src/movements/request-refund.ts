import type { Database, Tx } from '@gateway/persistence';
import type { DialectName } from '#src/account/charge.ts';
import type { ReceivedPayment } from '#src/account/received-payment.ts';
import { refundColumns, type Refund } from '#src/account/refund.ts';
import { returnId } from '#src/account/spi-ids.ts';
import { bankIspb } from '#src/bank/bank.ts';

/** Time from the request to the result. */
const refundSettlementMs = 300;
/** BACEN: a payment can be returned for 90 days. */
const refundPeriodMs = 90 * 86_400_000;

export interface RefundOrder {
  readonly payment: ReceivedPayment;
  readonly reference: string;
  readonly amount: number;
  readonly description?: string;
  readonly now: Date;
  /** Default: a new return id of PIX. */
  readonly returnId?: string;
}

export type RefundRefusal = 'reference_used' | 'more_than_paid' | 'too_late';

/** Accepts a refund; its result comes later. */
export async function requestRefund(tx: Tx, order: RefundOrder): Promise<Refund | RefundRefusal> {
  const { payment, reference, amount, description = null, now } = order;
  const { returnId: id = returnId(bankIspb, now) } = order;
  // The payment's row serialises its refunds, so that together they never exceed it.
  await tx.sql('select 1 from received_payment where id = $1 for update', [payment.id]);
  const earlier = await refundsOf(tx, payment.id);
  if (earlier.some((refund) => refund.reference === reference)) return 'reference_used';
  if (sentBack(earlier) + amount > payment.amount) return 'more_than_paid';
  if (now.getTime() - payment.paidAt.getTime() > refundPeriodMs) return 'too_late';
  await tx.sql(
    `insert into refund (payment_id, reference, return_id, amount, nature, description, status, requested_at, settle_at)
     values ($1, $2, $3, $4, 'ORIGINAL', $5, 'PROCESSING', $6, $7)`,
    [payment.id, reference, id, amount, description, now, new Date(now.getTime() + refundSettlementMs)],
  );
  const refund = (await refundsOf(tx, payment.id)).find((candidate) => candidate.reference === reference);
  if (!refund) throw new Error('the refund is not there after its insertion');
  return refund;
}

/** What is on its way back or has arrived. */
function sentBack(refunds: readonly Refund[]): number {
  return refunds.filter(({ status }) => status !== 'FAILED').reduce((sum, { amount }) => sum + amount, 0);
}

export async function findRefund(
  database: Database,
  dialect: DialectName,
  reference: string,
): Promise<Refund | undefined> {
  const [refund] = await database.query<Refund>(
    `select ${refundColumns} from refund r join received_payment p on p.id = r.payment_id
      where p.dialect = $1 and r.reference = $2`,
    [dialect, reference],
  );
  return refund;
}

export async function refundsOf(tx: Pick<Tx, 'sql'>, paymentId: number): Promise<Refund[]> {
  return await refundsOfAll(tx, [paymentId]);
}

/** Those of a page of payments. */
export async function refundsOfAll(tx: Pick<Tx, 'sql'>, paymentIds: readonly number[]): Promise<Refund[]> {
  return await tx.sql<Refund>(`select ${refundColumns} from refund r where r.payment_id = any($1) order by r.id`, [
    paymentIds,
  ]);
}
