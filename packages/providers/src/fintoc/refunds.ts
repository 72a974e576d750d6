import { asked } from '#src/certainty.ts';
import { findAccountNumber, paymentsOn, type FintocPayment } from '#src/fintoc/charges.ts';
import { lookupOf, notSentWithout, reasonOf, unsupported, type FintocConnection } from '#src/fintoc/connection.ts';
import { findTransfer, otherThan, sendTransfer, type RecordedTransfer } from '#src/fintoc/transfers.ts';
import type { FintocTransfer } from '#src/fintoc/wire.ts';
import type { CallOptions, NotSent, Refused } from '#src/outcomes.ts';
import type { RefundInput, RefundLookup, RefundOutcome, RefundState } from '#src/refunds.ts';

const comment = 'Devolucion';

/**
 * A transfer to the account that the payment came from. Fintoc's own return (`POST /v2/transfers/return`) sends back the
 * whole of one payment and takes no reference, so that a part, a charge that was paid in several transfers, and the
 * question what became of it would be without an answer ("Return a transfer", docs.fintoc.com, read on 22 November 2026).
 */
export async function refund(
  connection: FintocConnection,
  input: RefundInput,
  options?: CallOptions,
): Promise<RefundOutcome> {
  if (input.money.currency !== 'MXN') return unsupported(`no refunds in ${input.money.currency}`);
  const payer = await payerOf(connection, input, options);
  if ('kind' in payer) return payer;
  const sent = await sendTransfer(connection, { ...recorded(input), ...payer, comment }, options);
  if (sent.kind !== 'sent') return sent;
  const { id: providerRef, status, return_reason: cause } = sent.transfer;
  const accepted = { kind: 'accepted', providerRef } as const;
  switch (status) {
    case 'pending':
      return { ...accepted, status: 'PROCESSING', ...returnIdOf(sent.transfer) };
    case 'succeeded':
      return { ...accepted, status: 'DONE', returnId: sent.transfer.tracking_key ?? providerRef };
    case 'failed':
    case 'rejected':
    case 'returned':
      return { kind: 'refused', ...reasonOf(cause), raw: { status, id: providerRef } };
    case 'return_pending':
    case 'reject_failed':
      return { kind: 'unknown', cause: `the transfer is ${status}`, providerRef };
  }
}

/** A refund that came back has failed: the money is here again. */
export async function getRefund(
  connection: FintocConnection,
  { refund: input, providerRef: known }: RefundLookup,
  options?: CallOptions,
): Promise<RefundState> {
  const order = recorded(input, known);
  const found = await findTransfer(connection, order, options);
  if (found.status !== 'FOUND') return found;
  const other = otherThan(order, found.value);
  if (other) return other;
  const { id: providerRef, status, tracking_key: trackingKey, return_reason: cause } = found.value;
  switch (status) {
    case 'pending':
    case 'return_pending':
      return { status: 'PROCESSING', providerRef, ...returnIdOf(found.value) };
    case 'succeeded':
      return asked({ status: 'DONE', providerRef, returnId: trackingKey ?? providerRef });
    case 'failed':
    case 'rejected':
      return asked({ status: 'FAILED', providerRef, ...reasonOf(cause) });
    case 'returned':
      return asked({ status: 'FAILED', providerRef, cameBack: true, ...reasonOf(cause) });
    case 'reject_failed':
      return { status: 'UNAVAILABLE', cause: `the transfer is ${status}` };
  }
}

interface Payer {
  readonly account: string;
  readonly holder: { readonly name?: string; readonly document?: string };
}

/** Where the payment that goes back came from. What one payer sent never goes to another, and never more than that. */
async function payerOf(
  connection: FintocConnection,
  { receipt, money }: RefundInput,
  options: CallOptions | undefined,
): Promise<Payer | NotSent | Refused> {
  const { chargeRef: ref, chargeProviderRef: providerRef } = receipt;
  const lookup = { ref, ...(providerRef === undefined ? {} : { providerRef }) };
  const number = await findAccountNumber(connection, lookup, lookupOf(options));
  if (number.status === 'UNAVAILABLE') return notSentWithout(number.cause, options);
  if (number.status === 'NOT_FOUND') return refused('there is no account number of this charge');
  const paid = await paymentsOn(connection, number.value.id, lookupOf(options));
  if (paid.status === 'UNAVAILABLE') return notSentWithout(paid.cause, options);
  const [named, another] = paid.payments.filter((payment) => isNamed(payment, receipt));
  if (!named) return refused('there is no such payment on this charge');
  if (another) return refused('several payments on this charge have this tracking key');
  if (money.amount > named.amount) return { ...refused('it is more than this payment'), code: 'amount_limit' };
  const account = accountOf(named);
  if (account === null) return notSentWithout('the account that the payment came from is not answered', options);
  const { holder_name: name, holder_id: document } = named.counterparty ?? {};
  return { account, holder: { ...(name ? { name } : {}), ...(document ? { document } : {}) } };
}

/** What was recorded before payments had Fintoc's id is named by its tracking key alone. */
function isNamed({ id, tracking_key: trackingKey }: FintocPayment, { e2eId, transferId }: RefundInput['receipt']) {
  return transferId === undefined ? trackingKey === e2eId : id === transferId;
}

function accountOf({ counterparty }: FintocTransfer): string | null {
  return counterparty?.account_number ?? null;
}

/** Decided here, before anything was sent. */
function refused(message: string): Refused {
  return { kind: 'refused', code: 'invalid_request', message, raw: { decided: 'by the gateway' } };
}

function recorded({ ref, sentAt, money }: RefundInput, providerRef?: string): RecordedTransfer {
  return { kind: 'refund', ref, sentAt, money, ...(providerRef === undefined ? {} : { providerRef }) };
}

function returnIdOf({ tracking_key: returnId }: FintocTransfer) {
  return returnId ? { returnId } : {};
}
