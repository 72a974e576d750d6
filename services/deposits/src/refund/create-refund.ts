import type { createRefund as contract } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { RpcCall } from '@gateway/messaging';
import { isId, newId } from '@gateway/money';
import { type Tx, violatedConstraint } from '@gateway/persistence';
import { currentTraceId } from '@gateway/runtime';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { lockDeposit } from '#src/deposit/deposit-record.ts';
import {
  InvalidStateError,
  NotRefundableError,
  RefundExceedsAmountError,
  RefundExceedsTransferError,
  RefundUnderWayError,
} from '#src/errors.ts';
import { toRefund } from '#src/refund/read-refunds.ts';
import { RefundEntity, type RefundRow } from '#src/refund/refund-entity.ts';
import { reserveRefund } from '#src/refund/reserve-refund.ts';
import { resumeRefund } from '#src/refund/resume-refund.ts';
import { notBegun } from '#src/returns/return-record.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

type Request = RequestOf<typeof contract>;

/** Kept of the caller's time for the database, the provider and the way back. */
const answerMarginMs = 500;
/** Time after the caller's has run out until a refund that is not reserved yet is given up. */
const reservationGraceMs = 2_000;

/**
 * One refund per (environment, account, external_id), whatever a repeated body says. Answers as far as it has come: the
 * sandbox is DONE at once, a provider on the wire may take its time.
 *
 * @throws RefundUnansweredError, RefundUnderWayError: nothing was created
 */
export async function createRefund(
  dependencies: RoutingDependencies,
  request: Request,
  { timeoutMs }: Pick<RpcCall, 'timeoutMs'>,
): Promise<ReplyOf<typeof contract>> {
  if (!isId('deposit', request.depositId)) throw new NotFoundError('deposit');
  const { created, refund } = await claimOnce(dependencies, request, timeoutMs);
  if (refund.state === 'RELEASING') throw new RefundUnderWayError();
  const reservation = { isNew: created, timeoutMs: Math.max(timeoutMs - answerMarginMs, answerMarginMs) };
  const reserved = refund.state === 'RESERVING' ? await reserveRefund(dependencies, refund, reservation) : refund;
  const sent = created && reserved.state === 'SENDING' ? await send(dependencies, reserved) : reserved;
  return { created, refund: toRefund(sent) };
}

/** From here on "nothing was created" is no answer any more, whatever goes wrong: it exists, and the sweeper goes on with it. */
async function send(dependencies: RoutingDependencies, reserved: RefundRow): Promise<RefundRow> {
  try {
    return await resumeRefund(dependencies, reserved);
  } catch (error) {
    dependencies.logger.error({ err: error, refundId: reserved.id }, 'sending a refund was interrupted');
    return reserved;
  }
}

/** A refund of another deposit that took the external_id a moment ago is found by the second look. */
async function claimOnce(dependencies: RoutingDependencies, request: Request, timeoutMs: number) {
  try {
    return await claim(dependencies, request, timeoutMs);
  } catch (error) {
    if (violatedConstraint(error) !== 'refund_external_id_once') throw error;
    return await claim(dependencies, request, timeoutMs);
  }
}

async function claim({ database, now }: RoutingDependencies, request: Request, timeoutMs: number) {
  const { environment, accountId, externalId, depositId } = request;
  return await database.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, { environment, accountId, id: depositId });
    const known = await tx.em.findOne(RefundEntity, { environment, accountId, externalId, releasedAt: null });
    if (known) return { created: false, refund: known };
    if (deposit.state !== 'PAID' && deposit.state !== 'REFUNDED') throw new NotRefundableError(deposit.state);
    const left = await leftOf(tx, deposit);
    const amount = request.amount ?? left;
    if (amount > left || amount === 0) throw new RefundExceedsAmountError(left);
    const draft = draftRefund(request, deposit, { amount, ...(await paymentToReturn(tx, deposit, amount)) }, now());
    const nextAttemptAt = new Date(now().getTime() + timeoutMs + reservationGraceMs);
    return { created: true, refund: tx.em.create(RefundEntity, { ...draft, nextAttemptAt }) };
  });
}

/** What has neither gone back nor is on its way. The ledger decides; this only says earlier what it would say. */
async function leftOf(tx: Tx, { environment, accountId, id, amount, refunded }: DepositRow): Promise<number> {
  const [row] = await tx.sql<{ under_way: number }>(
    `select coalesce(sum(amount), 0)::bigint as under_way from refund
     where environment = $1 and account_id = $2 and deposit_id = $3 and state in ('RESERVING', 'SENDING', 'REDEBITING')`,
    [environment, accountId, id],
  );
  return amount - refunded - (row?.under_way ?? 0);
}

interface ReturnablePayment {
  readonly e2eId: string;
  readonly trackingKey: string | null;
}

/**
 * The payment that a refund sends back. Where a charge was paid in several transfers each goes back to the one who sent it,
 * and never more than that: a refund is of one of them, of one that it sends back whole before another, and of the last
 * before an earlier one.
 *
 * @throws RefundExceedsTransferError when none of them covers it
 */
async function paymentToReturn(tx: Tx, deposit: DepositRow, amount: number): Promise<ReturnablePayment> {
  const transfers = await transfersLeft(tx, deposit);
  const [one] = transfers;
  if (!one) {
    if (!deposit.e2eId) throw new InvalidStateError(deposit.state);
    return { e2eId: deposit.e2eId, trackingKey: null };
  }
  const covering = transfers.filter(({ left }) => left >= amount);
  const chosen = covering.find(({ left }) => left === amount) ?? covering[0];
  if (!chosen) throw new RefundExceedsTransferError(Math.max(...transfers.map(({ left }) => left)));
  return chosen;
}

/** The transfers that make up a payment, the last first, each with what has neither gone back nor is on its way. */
async function transfersLeft(tx: Tx, { environment, provider, accountId, id }: DepositRow) {
  return await tx.sql<ReturnablePayment & { readonly left: number }>(
    `select transfer.e2e_id as "e2eId", transfer.tracking_key as "trackingKey", (amount - coalesce((
         select sum(refund.amount) from refund
         where refund.environment = $1 and refund.account_id = $3 and refund.deposit_id = $4
           and refund.e2e_id in (transfer.e2e_id, transfer.tracking_key)
           and (refund.state in ('RESERVING', 'RELEASING', 'SENDING', 'REDEBITING', 'DONE')
             or (refund.state = 'REVERSING' and refund.return_id is not null))
       ), 0))::bigint as left
     from transfer
     where environment = $1 and account_id = $3 and deposit_id = $4 and not exists (
       select from orphan_receipt as orphan
       where orphan.environment = $1 and orphan.provider = $2 and orphan.e2e_id = transfer.e2e_id)
     order by paid_at desc, transfer.e2e_id desc`,
    [environment, provider, accountId, id],
  );
}

function draftRefund(
  request: Request,
  deposit: DepositRow,
  { amount, e2eId, trackingKey }: ReturnablePayment & { readonly amount: number },
  now: Date,
): Omit<RefundRow, 'nextAttemptAt'> {
  return {
    environment: deposit.environment,
    accountId: deposit.accountId,
    id: newId('refund', now.getTime()),
    depositId: deposit.id,
    externalId: request.externalId,
    state: 'RESERVING',
    provider: deposit.provider,
    e2eId,
    trackingKey,
    currency: deposit.currency,
    amount,
    depositAmount: deposit.amount,
    reason: request.reason,
    createdAt: now,
    sentAt: now,
    providerRef: null,
    traceId: currentTraceId(),
    returnId: null,
    failureReason: null,
    failureMessage: null,
    finishedAt: null,
    cameBackAt: null,
    comeBacks: 0,
    comeBack: null,
    releasedAt: null,
    attempts: 0,
    ...notBegun,
    calledAt: null,
  };
}
