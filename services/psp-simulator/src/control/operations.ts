import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { Tx } from '@gateway/persistence';
import { chargeColumns, type Charge, type DialectName } from '#src/account/charge.ts';
import type { Dispute } from '#src/account/dispute.ts';
import { findPayment, type ReceivedPayment } from '#src/account/received-payment.ts';
import { transferColumns, type Transfer } from '#src/account/transfer.ts';
import type { Bank } from '#src/bank/bank.ts';
import type { DisputeRequest, FaultRequest, PayRequest, ResolveRequest, ReturnRequest } from '#src/control/requests.ts';
import { changeDispute, findDispute, openDispute } from '#src/movements/change-dispute.ts';
import { payCharge } from '#src/movements/pay-charge.ts';
import { returnTransfer, settleTransfer } from '#src/movements/settle-transfer.ts';

/** Found by txid or correlationID, and locked. @throws NotFoundError */
export async function chargeOf(tx: Tx, reference: string): Promise<Charge> {
  const [charge] = await tx.sql<Charge>(
    `select ${chargeColumns.selectedFrom('charge')} from charge where id = (
       select id from charge where reference = $1
       union all select id from charge where details ->> 'transactionID' = $1 order by id limit 1) for update`,
    [reference],
  );
  if (!charge) throw new NotFoundError('charge');
  return charge;
}

/** Locked. @throws NotFoundError */
export async function transferOf(tx: Tx, reference: string): Promise<Transfer> {
  const [transfer] = await tx.sql<Transfer>(
    `select ${transferColumns} from transfer t where t.reference = $1 order by t.id limit 1 for update`,
    [reference],
  );
  if (!transfer) throw new NotFoundError('transfer');
  return transfer;
}

/** A late payment comes at least this long after its charge has ended. */
const lateMs = 1_000;

/** Pays a charge, found by txid or correlationID; also again, late, or with another amount. */
export async function pay(bank: Bank, reference: string, request: PayRequest): Promise<ReceivedPayment> {
  const payment = await bank.database.transaction(async (tx) => {
    const charge = await chargeOf(tx, reference);
    if (charge.status.startsWith('REMOVED')) throw new DomainError('INVALID_STATE', 'the charge was removed');
    const now = bank.now();
    const endedMs = charge.createdAt.getTime() + charge.expiresInSec * 1_000;
    const paidAt = request.late ? new Date(Math.max(now.getTime(), endedMs + lateMs)) : now;
    return await payCharge(tx, bank.dialects, {
      charge,
      amount: request.amount_cents ?? charge.amount,
      paidAt,
      payer: request.payer,
      e2eId: request.e2e_id,
    });
  });
  bank.wake();
  return payment;
}

/** A payer contests a payment; one that is contested already is contested anew. */
export async function dispute(bank: Bank, e2eId: string, request: DisputeRequest): Promise<Dispute> {
  const payment = await findPayment(bank.database, e2eId);
  if (!payment) throw new NotFoundError('payment');
  const amount = request.amount_cents ?? payment.amount;
  if (amount > payment.amount) throw new DomainError('INVALID_STATE', 'more than was paid');
  const opened = await bank.database.transaction((tx) =>
    openDispute(tx, bank.dialects, { payment, amount, now: bank.now() }),
  );
  bank.wake();
  return opened;
}

/** The claim ends, or is taken up again. */
export async function resolve(bank: Bank, id: string, { result }: ResolveRequest): Promise<Dispute> {
  const resolved = await bank.database.transaction(async (tx) => {
    const found = await findDispute(tx, id);
    if (!found) throw new NotFoundError('dispute');
    return await changeDispute(tx, bank.dialects, { dispute: found, status: result, now: bank.now() });
  });
  bank.wake();
  return resolved;
}

/** Ends a transfer that is held or in process. */
export async function settle(bank: Bank, reference: string, result: 'paid' | 'failed'): Promise<Transfer> {
  await bank.database.transaction(async (tx) => {
    const transfer = await transferOf(tx, reference);
    if (transfer.status !== 'PROCESSING') throw new DomainError('INVALID_STATE', 'the transfer is not in process');
    await settleTransfer(tx, bank.dialects, { transfer, result, now: bank.now() });
  });
  bank.wake();
  return await bank.database.transaction((tx) => transferOf(tx, reference));
}

/** The receiver's bank sends a paid transfer back, whole or in part. */
export async function giveBack(bank: Bank, reference: string, request: ReturnRequest): Promise<{ return_id: string }> {
  const returnId = await bank.database.transaction(async (tx) => {
    const transfer = await transferOf(tx, reference);
    if (transfer.status !== 'PAID') throw new DomainError('INVALID_STATE', 'the transfer is not paid');
    const [row] = await tx.sql<{ returned: number }>(
      'select coalesce(sum(amount), 0)::bigint as returned from transfer_return where transfer_id = $1',
      [transfer.id],
    );
    const left = transfer.amount - (row?.returned ?? 0);
    const { returnsInParts } = bank.dialects[transfer.dialect as DialectName];
    const amount = returnsInParts ? (request.amount_cents ?? left) : left;
    if (amount < 1 || amount > left) throw new DomainError('INVALID_STATE', 'more than is left');
    return await returnTransfer(tx, bank.dialects, { transfer, amount, now: bank.now() });
  });
  bank.wake();
  return { return_id: returnId };
}

export async function addFault({ database, faults }: Bank, request: FaultRequest): Promise<{ id: number }> {
  const { dialect = null, operation, fault, times = null, seed = null, percent = null } = request;
  const [row] = await database.query<{ id: number }>(
    `insert into fault_rule (dialect, operation, fault, times_left, seed, percent) values ($1, $2, $3, $4, $5, $6) returning id`,
    [dialect, operation, fault, times, seed, percent],
  );
  faults.armed = true;
  return { id: row?.id ?? 0 };
}

export async function removeFaults({ database, faults }: Bank): Promise<void> {
  await database.query('delete from fault_rule');
  faults.armed = false;
}
