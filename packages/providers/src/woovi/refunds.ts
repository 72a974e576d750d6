import { asked } from '#src/certainty.ts';
import { differs, unknownFor } from '#src/differs.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type { RefundInput, RefundLookup, RefundOutcome, RefundState } from '#src/refunds.ts';
import { refusal, wooviLookedUp, type WooviConnection } from '#src/woovi/connection.ts';
import { chargeRefundsSchema, foundRefundSchema, refundReplySchema, type WooviRefund } from '#src/woovi/wire.ts';

const commentMaxCharacters = 140;
const rejected = { code: 'unspecified', message: 'the refund was not carried out, the provider says not why' } as const;

/**
 * `POST /api/v1/refund`: of a payment by its end-to-end id. A refund of a charge (`/charge/{id}/refund`) would be of the
 * payment that completed it, and of two payments that may be the other one than what the gateway has credited. A repeated id
 * is answered by the refund it has.
 */
export async function refund(
  connection: WooviConnection,
  input: RefundInput,
  options?: CallOptions,
): Promise<RefundOutcome> {
  const { ref, money, receipt, reason } = input;
  if (money.currency !== 'BRL') {
    return { kind: 'not_sent', reason: 'unsupported', cause: `no refunds in ${money.currency}` };
  }
  const body = {
    transactionEndToEndId: receipt.e2eId,
    correlationID: ref,
    value: money.amount,
    ...(reason ? { comment: reason.slice(0, commentMaxCharacters) } : {}),
  };
  const call = { method: 'POST', path: '/api/v1/refund', body, schema: refundReplySchema } as const;
  const outcome = await connection.call(call, options);
  switch (outcome.kind) {
    case 'answered':
      return await withReturnId(connection, outcomeOf(outcome.value.refund, input), input, options);
    case 'rejected': {
      const found = await findRefund(connection, ref, options);
      if (found.status === 'FOUND') return outcomeOf(found.value.pixTransactionRefund, input);
      if (found.status === 'NOT_FOUND') return refusal(outcome);
      return { kind: 'unknown', cause: `rejected with ${outcome.status}, and ${found.cause}` };
    }
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

/**
 * The answer has no id that the rail knows, and neither do the lines of a statement have the refund's own: one that is done
 * at once is looked up, so that its line can be found. What the lookup cannot say is as it was answered.
 */
async function withReturnId(
  connection: WooviConnection,
  outcome: RefundOutcome,
  input: RefundInput,
  options: CallOptions | undefined,
): Promise<RefundOutcome> {
  if (outcome.kind !== 'accepted' || outcome.status !== 'DONE') return outcome;
  const found = await findRefund(connection, input.ref, options);
  if (found.status !== 'FOUND') return outcome;
  const { returnIdentification: returnId, correlationID: ref, value: amount } = found.value.pixTransactionRefund;
  return returnId === undefined || differs(input, { ref, amount }) ? outcome : { ...outcome, returnId };
}

export async function getRefund(
  connection: WooviConnection,
  { refund: input }: Pick<RefundLookup, 'refund'>,
  options?: CallOptions,
): Promise<RefundState> {
  const found = await findRefund(connection, input.ref, options);
  if (found.status !== 'FOUND') return found;
  const made = found.value.pixTransactionRefund;
  const other = differs(input, { ref: made.correlationID, amount: made.value });
  if (other) return other;
  const providerRef = made.correlationID;
  switch (made.status) {
    case undefined:
      return await stateOnCharge(connection, input, options);
    case 'IN_PROCESSING':
      return { status: 'PROCESSING', providerRef };
    case 'REFUNDED':
      return asked({ status: 'DONE', providerRef, returnId: returnIdOf(made) });
    case 'NOT_ACCOMPLISHED':
      return asked({ status: 'FAILED', providerRef, ...rejected });
  }
}

/**
 * The lookup's published example has no status: the refunds of the charge (`GET /api/v1/charge/{id}/refund`) have one. What
 * neither reports is under way.
 */
async function stateOnCharge(
  connection: WooviConnection,
  input: RefundInput,
  options: CallOptions | undefined,
): Promise<RefundState> {
  const path = `/api/v1/charge/${encodeURIComponent(input.receipt.chargeRef)}/refund`;
  const found = wooviLookedUp(await connection.call({ method: 'GET', path, schema: chargeRefundsSchema }, options));
  if (found.status === 'UNAVAILABLE') return found;
  const refunds = found.status === 'FOUND' ? found.value.refunds : [];
  const made = refunds.find(({ correlationID }) => correlationID === input.ref);
  const underWay = { status: 'PROCESSING', providerRef: input.ref } as const;
  if (!made) return underWay;
  const other = differs(input, { ref: made.correlationID, amount: made.value });
  if (other) return other;
  switch (made.status) {
    case 'IN_PROCESSING':
      return underWay;
    case 'CONFIRMED':
      return asked({ status: 'DONE', providerRef: input.ref, returnId: made.endToEndId ?? input.ref });
    case 'REJECTED':
      return asked({ status: 'FAILED', providerRef: input.ref, ...rejected });
  }
}

function outcomeOf(made: WooviRefund, input: RefundInput): RefundOutcome {
  const other = differs(input, { ref: made.correlationID, amount: made.value });
  if (other) return unknownFor(other, input.ref);
  const { status, correlationID: providerRef } = made;
  switch (status) {
    case undefined:
    case 'IN_PROCESSING':
      return { kind: 'accepted', status: 'PROCESSING', providerRef };
    case 'REFUNDED':
      return { kind: 'accepted', status: 'DONE', providerRef, returnId: returnIdOf(made) };
    case 'NOT_ACCOMPLISHED':
      return { kind: 'refused', ...rejected, raw: { status } };
  }
}

/** The return's end-to-end id stands in an example of the description and not among the described members. */
function returnIdOf({ returnIdentification, refundId, correlationID }: Omit<WooviRefund, 'status'>): string {
  return returnIdentification ?? refundId ?? correlationID;
}

async function findRefund(connection: WooviConnection, ref: string, options: CallOptions | undefined) {
  const path = `/api/v1/refund/${encodeURIComponent(ref)}`;
  return wooviLookedUp(await connection.call({ method: 'GET', path, schema: foundRefundSchema }, options));
}
