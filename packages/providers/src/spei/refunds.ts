import { asked } from '#src/certainty.ts';
import { differs, unknownFor } from '#src/differs.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type { RefundInput, RefundLookup, RefundOutcome, RefundState } from '#src/refunds.ts';
import { reasonOf, refusal, unsupported, type SpeiConnection } from '#src/spei/connection.ts';
import { refundSchema, type SpeiRefund } from '#src/spei/wire.ts';

/**
 * `PUT /charges/{reference}/refunds/{refund}`: sends back up to what arrived on the charge, beginning with the payment
 * named. A charge may have been paid in several transfers.
 */
export async function refund(
  connection: SpeiConnection,
  input: RefundInput,
  options?: CallOptions,
): Promise<RefundOutcome> {
  const { money, receipt, reason } = input;
  if (money.currency !== 'MXN') return unsupported(`no refunds in ${money.currency}`);
  const body = { amount: money.amount, tracking_key: receipt.e2eId, ...(reason ? { reason } : {}) };
  const call = { method: 'PUT', path: refundPath(input), body, schema: refundSchema } as const;
  const outcome = await connection.call(call, options);
  switch (outcome.kind) {
    case 'answered':
      return refundOutcome(outcome.value, input);
    case 'rejected': {
      // What refuses this call may be the earlier one, whose answer was lost.
      const found = await findRefund(connection, input, options);
      if (found.status === 'FOUND') return refundOutcome(found.value, input);
      if (found.status === 'NOT_FOUND' && outcome.status !== 409) return refusal(outcome);
      return { kind: 'unknown', cause: `rejected with ${outcome.status}, and its refund cannot be had` };
    }
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

export async function getRefund(
  connection: SpeiConnection,
  { refund: input }: RefundLookup,
  options?: CallOptions,
): Promise<RefundState> {
  const found = await findRefund(connection, input, options);
  if (found.status !== 'FOUND') return found;
  const other = otherThan(input, found.value);
  if (other) return other;
  const { reference: providerRef, return_key: returnId, status, failure } = found.value;
  switch (status) {
    case 'PROCESSING':
      return { status, providerRef, returnId };
    case 'SETTLED':
      return asked({ status: 'DONE', providerRef, returnId });
    case 'FAILED':
      return asked({ status, providerRef, ...reasonOf(failure) });
  }
}

function otherThan(input: RefundInput, { reference: ref, amount, currency }: SpeiRefund) {
  return differs(input, { ref, amount, currency });
}

function refundOutcome(made: SpeiRefund, input: RefundInput): RefundOutcome {
  const other = otherThan(input, made);
  if (other) return unknownFor(other, input.ref);
  const { reference: providerRef, return_key: returnId, status, failure } = made;
  switch (status) {
    case 'PROCESSING':
      return { kind: 'accepted', status, providerRef, returnId };
    case 'SETTLED':
      return { kind: 'accepted', status: 'DONE', providerRef, returnId };
    case 'FAILED':
      return { kind: 'refused', ...reasonOf(failure), raw: { status, failure } };
  }
}

async function findRefund(connection: SpeiConnection, input: RefundInput, options: CallOptions | undefined) {
  return lookedUp(await connection.call({ method: 'GET', path: refundPath(input), schema: refundSchema }, options));
}

function refundPath({ ref, receipt }: RefundInput): string {
  return `/charges/${encodeURIComponent(receipt.chargeRef)}/refunds/${encodeURIComponent(ref)}`;
}
