import type { CallOptions } from '#src/outcomes.ts';
import type { RefundInput, RefundOutcome, RefundState } from '#src/refunds.ts';
import { refusal, wooviLookedUp, type WooviConnection } from '#src/woovi/connection.ts';
import {
  foundTransactionRefundSchema,
  transactionRefundReplySchema,
  type WooviTransactionRefund,
} from '#src/woovi/wire.ts';

const commentMaxCharacters = 140;
const rejected = { code: 'unspecified', message: 'the refund was not carried out, the provider says not why' } as const;

/**
 * `POST /api/v1/refund`: of a payment by its end-to-end id. A refund of a charge is of the payment that completed it, so
 * what came on the charge besides goes back this way. A repeated id is told by the refund it has.
 */
export async function refundTransaction(
  connection: WooviConnection,
  input: RefundInput,
  options?: CallOptions,
): Promise<RefundOutcome> {
  const { ref, money, receipt, reason } = input;
  const body = {
    transactionEndToEndId: receipt.e2eId,
    correlationID: ref,
    value: money.amount,
    ...(reason ? { comment: reason.slice(0, commentMaxCharacters) } : {}),
  };
  const call = { method: 'POST', path: '/api/v1/refund', body, schema: transactionRefundReplySchema } as const;
  const outcome = await connection.call(call, options);
  switch (outcome.kind) {
    case 'answered':
      if (outcome.value.refund.correlationID === ref) return outcomeOf(outcome.value.refund);
      return { kind: 'unknown', cause: 'the provider answered with another refund' };
    case 'rejected': {
      const found = await findTransactionRefund(connection, ref, options);
      if (found.status === 'FOUND') return outcomeOf(found.value.pixTransactionRefund);
      if (found.status === 'NOT_FOUND') return refusal(outcome);
      return { kind: 'unknown', cause: `rejected with ${outcome.status}, and ${found.cause}` };
    }
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

export async function getTransactionRefund(
  connection: WooviConnection,
  ref: string,
  options?: CallOptions,
): Promise<RefundState> {
  const found = await findTransactionRefund(connection, ref, options);
  if (found.status !== 'FOUND') return found;
  const { status, correlationID: providerRef, ...refund } = found.value.pixTransactionRefund;
  switch (status) {
    case 'IN_PROCESSING':
      return { status: 'PROCESSING', providerRef };
    case 'REFUNDED':
      return { status: 'DONE', providerRef, returnId: returnIdOf({ ...refund, correlationID: providerRef }) };
    case 'NOT_ACCOMPLISHED':
      return { status: 'FAILED', providerRef, ...rejected };
  }
}

function outcomeOf({ status, correlationID: providerRef, ...refund }: WooviTransactionRefund): RefundOutcome {
  switch (status) {
    case 'IN_PROCESSING':
      return { kind: 'accepted', status: 'PROCESSING', providerRef };
    case 'REFUNDED':
      return {
        kind: 'accepted',
        status: 'DONE',
        providerRef,
        returnId: returnIdOf({ ...refund, correlationID: providerRef }),
      };
    case 'NOT_ACCOMPLISHED':
      return { kind: 'refused', ...rejected, raw: { status } };
  }
}

/** The return's end-to-end id stands in an example of the description and not among the described members. */
function returnIdOf({ returnIdentification, refundId, correlationID }: Omit<WooviTransactionRefund, 'status'>): string {
  return returnIdentification ?? refundId ?? correlationID;
}

async function findTransactionRefund(connection: WooviConnection, ref: string, options: CallOptions | undefined) {
  const path = `/api/v1/refund/${encodeURIComponent(ref)}`;
  return wooviLookedUp(await connection.call({ method: 'GET', path, schema: foundTransactionRefundSchema }, options));
}
