import type { CallOptions } from '#src/outcomes.ts';
import type { RefundInput, RefundLookup, RefundOutcome, RefundState } from '#src/refunds.ts';
import { refusal, wooviLookedUp, type WooviConnection } from '#src/woovi/connection.ts';
import { getTransactionRefund, refundTransaction } from '#src/woovi/transaction-refunds.ts';
import { refundListSchema, refundReplySchema, type WooviRefund } from '#src/woovi/wire.ts';

const commentMaxCharacters = 140;

/** `POST /api/v1/charge/{correlationID}/refund`. The error text does not tell a repeated id: the list of refunds does. */
export async function refund(
  connection: WooviConnection,
  input: RefundInput,
  options?: CallOptions,
): Promise<RefundOutcome> {
  const { ref, money, reason } = input;
  if (money.currency !== 'BRL') {
    return { kind: 'not_sent', reason: 'unsupported', cause: `no refunds in ${money.currency}` };
  }
  if (input.receipt.isExtra) return await refundTransaction(connection, input, options);
  const body = {
    correlationID: ref,
    value: money.amount,
    ...(reason ? { comment: reason.slice(0, commentMaxCharacters) } : {}),
  };
  const outcome = await connection.call(
    { method: 'POST', path: refundsPath(input), body, schema: refundReplySchema },
    options,
  );
  switch (outcome.kind) {
    case 'answered':
      if (outcome.value.refund.correlationID === ref) return refundOutcome(outcome.value.refund);
      return { kind: 'unknown', cause: 'the provider answered with another refund' };
    case 'rejected': {
      const found = await findRefund(connection, input, options);
      if (found.status === 'FOUND') return refundOutcome(found.value);
      if (found.status === 'NOT_FOUND') return refusal(outcome);
      return { kind: 'unknown', cause: `rejected with ${outcome.status}, and ${found.cause}` };
    }
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

export async function getRefund(
  connection: WooviConnection,
  lookup: RefundLookup,
  options?: CallOptions,
): Promise<RefundState> {
  if (lookup.refund.receipt.isExtra) return await getTransactionRefund(connection, lookup.ref, options);
  const found = await findRefund(connection, lookup.refund, options);
  if (found.status !== 'FOUND') return found;
  const { status, correlationID: providerRef, endToEndId } = found.value;
  switch (status) {
    case 'IN_PROCESSING':
      return { status: 'PROCESSING', providerRef, returnId: endToEndId ?? undefined };
    case 'CONFIRMED':
      return { status: 'DONE', providerRef, returnId: endToEndId ?? providerRef };
    case 'REJECTED':
      return { status: 'FAILED', providerRef, ...rejected };
  }
}

const rejected = { code: 'unspecified', message: 'the refund was rejected, the provider says not why' } as const;

function refundOutcome({ status, correlationID: providerRef, endToEndId }: WooviRefund): RefundOutcome {
  switch (status) {
    case 'IN_PROCESSING':
      return { kind: 'accepted', status: 'PROCESSING', providerRef, returnId: endToEndId ?? undefined };
    case 'CONFIRMED':
      return { kind: 'accepted', status: 'DONE', providerRef, returnId: endToEndId ?? providerRef };
    case 'REJECTED':
      return { kind: 'refused', ...rejected, raw: { status } };
  }
}

async function findRefund(connection: WooviConnection, input: RefundInput, options: CallOptions | undefined) {
  const found = wooviLookedUp(
    await connection.call({ method: 'GET', path: refundsPath(input), schema: refundListSchema }, options),
  );
  if (found.status !== 'FOUND') return found;
  const value = found.value.refunds.find(({ correlationID }) => correlationID === input.ref);
  return value ? ({ status: 'FOUND', value } as const) : ({ status: 'NOT_FOUND' } as const);
}

function refundsPath({ receipt }: RefundInput): string {
  return `/api/v1/charge/${encodeURIComponent(receipt.chargeRef)}/refund`;
}
