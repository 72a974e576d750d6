import { isPixKeyType, type PixKeyType } from '@gateway/pix';
import { asked } from '#src/certainty.ts';
import { differs, unknownFor } from '#src/differs.ts';
import { failureCodes, type FailureCode } from '#src/failure-codes.ts';
import { failureCodeOf } from '#src/failure-taxonomy.ts';
import type { Rejected } from '#src/http/classify.ts';
import type { CallOptions, NotSent } from '#src/outcomes.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import type {
  PayoutInput,
  PayoutLookup,
  PayoutOutcome,
  PayoutReturn,
  PayoutReturns,
  PayoutState,
} from '#src/payouts.ts';
import { checkOwner } from '#src/woovi/check-owner.ts';
import { refusal, wooviLookedUp, type WooviConnection } from '#src/woovi/connection.ts';
import { readTransactions } from '#src/woovi/list-transactions.ts';
import {
  hasMoved,
  paymentReplySchema,
  transactionSchema,
  type WooviPaymentReply,
  type WooviTransaction,
} from '#src/woovi/wire.ts';

const commentMaxCharacters = 140;

const aliasTypes = {
  cpf: 'CPF',
  cnpj: 'CNPJ',
  email: 'EMAIL',
  phone: 'PHONE',
  random: 'RANDOM',
} as const satisfies Record<PixKeyType, string>;

/**
 * `POST /api/v1/payment` with `autoApprove`. The error text does not distinguish a repeated correlationID from a refusal, so a
 * rejection is followed by a look at the payment before it counts.
 */
export async function createPayout(
  connection: WooviConnection,
  payout: PayoutInput,
  options?: CallOptions,
): Promise<PayoutOutcome> {
  const { money, destination } = payout;
  if (money.currency !== 'BRL') return unsupported(`no payouts in ${money.currency}`);
  if (!isPixKeyType(destination.type)) return unsupported(`no payouts to a ${destination.type}`);
  const checked = payout.verifyOwner ? await checkOwner(connection, payout, options) : null;
  if (checked && checked.kind !== 'owned') return checked;
  const body = {
    type: 'PIX_KEY',
    value: money.amount,
    destinationAlias: destination.value,
    destinationAliasType: aliasTypes[destination.type],
    correlationID: payout.ref,
    autoApprove: true,
    ...(payout.description ? { comment: payout.description.slice(0, commentMaxCharacters) } : {}),
    ...(checked?.pixKeyEndToEndId ? { pixKeyEndToEndId: checked.pixKeyEndToEndId } : {}),
  };
  const outcome = await connection.call(
    { method: 'POST', path: '/api/v1/payment', body, schema: paymentReplySchema },
    options,
  );
  switch (outcome.kind) {
    case 'answered':
      return await approvedOutcome(connection, { payout, reply: outcome.value }, options);
    case 'rejected':
      return await existingPayout(connection, { payout, rejected: outcome }, options);
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

export async function getPayout(
  connection: WooviConnection,
  { payout }: Pick<PayoutLookup, 'payout'>,
  options?: CallOptions,
): Promise<PayoutState> {
  const found = await findPayment(connection, payout.ref, options);
  return found.status === 'FOUND' ? payoutState(found.value, { payout, learnedAt: connection.now() }) : found;
}

/** What a transaction is that belongs to a payment sent and brings its money back. */
const returnTypes: ReadonlySet<string | undefined> = new Set(['REVERSAL', 'REFUND']);
/** Its own transaction, and what it cost. */
const otherTypes: ReadonlySet<string | undefined> = new Set(['PAYMENT', 'WITHDRAW', 'FEE', 'INTERNAL_TRANSFER']);

/**
 * `GET /api/v1/transaction?withdrawal=`: all that belongs to the payment sent, by its end-to-end id and whatever its age. Each
 * return has to name that payment: what came back of another one, or went back to a payer, is no credit here.
 */
export async function getPayoutReturns(
  connection: WooviConnection,
  { payout, e2eId: recorded }: Pick<PayoutLookup, 'payout' | 'e2eId'>,
  options?: CallOptions,
): Promise<PayoutReturns> {
  const found = await findPayment(connection, payout.ref, options);
  if (found.status !== 'FOUND') return found;
  const other = otherThan(payout, found.value);
  if (other) return { status: 'UNAVAILABLE', cause: `the provider answered with another ${other.field}` };
  const e2eId = found.value.transaction?.endToEndId ?? recorded;
  if (!e2eId) return { status: 'FOUND', returns: [] };
  const related = await readTransactions(connection, { filter: { withdrawal: e2eId }, from: payout.sentAt }, options);
  if (related.status !== 'FOUND') return related;
  const returns = new Map<string, PayoutReturn>();
  for (const item of related.items) {
    const read = transactionSchema.safeParse(item);
    if (!read.success) return { status: 'UNAVAILABLE', cause: `a transaction is ${shapeOf(item)}` };
    const { type, endToEndId: returnId, value: amount, time: at } = read.data;
    if (otherTypes.has(type) || returnId === e2eId || !hasMoved(read.data)) continue;
    if (!returnTypes.has(type))
      return { status: 'UNAVAILABLE', cause: 'a transaction of the payment has no known type' };
    if (!belongsTo(read.data, { ref: payout.ref, e2eId }))
      return { status: 'UNAVAILABLE', cause: 'the provider answered with a return that does not name the payment' };
    returns.set(returnId, { returnId, money: { currency: 'BRL', amount }, at });
  }
  return { status: 'FOUND', returns: [...returns.values()].map((part) => asked(part)) };
}

/** Named by its end-to-end id or by our reference; where both are named, both have to be the payment's. */
function belongsTo(
  { withdraw, payment }: WooviTransaction,
  { ref, e2eId }: { readonly ref: string; readonly e2eId: string },
): boolean {
  const sent = withdraw?.endToEndId ?? withdraw?.endToEndID;
  const names = [sent === undefined ? null : sent === e2eId, payment ? payment.correlationID === ref : null];
  return names.includes(true) && !names.includes(false);
}

function unsupported(cause: string): NotSent {
  return { kind: 'not_sent', reason: 'unsupported', cause };
}

async function existingPayout(
  connection: WooviConnection,
  { payout, rejected }: { readonly payout: PayoutInput; readonly rejected: Rejected },
  options: CallOptions | undefined,
): Promise<PayoutOutcome> {
  const { ref } = payout;
  const found = await findPayment(connection, ref, options);
  switch (found.status) {
    case 'FOUND':
      return await approvedOutcome(connection, { payout, reply: found.value }, options);
    case 'NOT_FOUND':
      return refusal(rejected);
    case 'UNAVAILABLE':
      return { kind: 'unknown', cause: `rejected with ${rejected.status}, and ${found.cause}`, providerRef: ref };
  }
}

/** A payment that waits for its approval, although it was asked for at once, is approved now. */
async function approvedOutcome(
  connection: WooviConnection,
  { payout, reply }: { readonly payout: PayoutInput; readonly reply: WooviPaymentReply },
  options: CallOptions | undefined,
): Promise<PayoutOutcome> {
  const correlationID = payout.ref;
  const state = payoutState(reply, { payout, learnedAt: connection.now() });
  if (reply.payment.status !== 'CREATED' || state.status === 'DIFFERS') return payoutOutcome(state, correlationID);
  const approved = await connection.call(
    { method: 'POST', path: '/api/v1/payment/approve', body: { correlationID }, schema: paymentReplySchema },
    options,
  );
  if (approved.kind === 'answered') {
    return payoutOutcome(payoutState(approved.value, { payout, learnedAt: connection.now() }), correlationID);
  }
  const cause = approved.kind === 'rejected' ? `the approval was answered ${approved.status}` : approved.cause;
  return { kind: 'unknown', cause: `the payment exists and is not approved: ${cause}`, providerRef: correlationID };
}

function payoutOutcome(state: PayoutState, ref: string): PayoutOutcome {
  switch (state.status) {
    case 'PROCESSING':
    case 'PAID':
      return { kind: 'accepted', status: state.status, providerRef: ref, e2eId: state.e2eId };
    case 'FAILED':
      return { kind: 'refused', code: state.code, message: state.message, raw: { status: 'FAILED' } };
    case 'NOT_FOUND':
      return { kind: 'unknown', cause: 'the payment is not found', providerRef: ref };
    case 'DIFFERS':
      return unknownFor(state, ref);
    case 'UNAVAILABLE':
      return { kind: 'unknown', cause: state.cause, providerRef: ref };
  }
}

function otherThan(payout: PayoutInput, { payment }: WooviPaymentReply) {
  return differs(payout, { ref: payment.correlationID, amount: payment.value });
}

/** Without a time of payment, the time of the answer stands for it. */
function payoutState(
  reply: WooviPaymentReply,
  { payout, learnedAt }: { readonly payout: PayoutInput; readonly learnedAt: Date },
): PayoutState {
  const other = otherThan(payout, reply);
  if (other) return other;
  const { payment, transaction } = reply;
  const facts = { providerRef: payment.correlationID, e2eId: transaction?.endToEndId ?? undefined };
  switch (payment.status) {
    case 'CREATED':
    case 'APPROVED':
      return { status: 'PROCESSING', ...facts };
    case 'CONFIRMED': {
      const { e2eId } = facts;
      if (!e2eId) {
        return {
          status: 'UNAVAILABLE',
          cause: 'the payment is confirmed, and the provider does not say under which id',
        };
      }
      return asked({ status: 'PAID', ...facts, e2eId, paidAt: transaction?.time ?? learnedAt });
    }
    case 'FAILED':
    case 'DENIED':
      return asked({ status: 'FAILED', ...facts, ...reasonOf(reply) });
  }
}

/** The most exact reason there is: the bank's code where there is one, Woovi's own name for it otherwise. */
export function reasonOf({ transaction, error }: Pick<WooviPaymentReply, 'transaction' | 'error'>) {
  const reported = [transaction?.providerErrorCode, transaction?.providerRejectedReason, error?.code];
  const code: FailureCode =
    reported.map((name) => failureCodeOf(name)).find((known) => known !== 'unspecified') ?? 'unspecified';
  const message = transaction?.providerRejectedReason ?? error?.description ?? failureCodes[code].meaning;
  return { code, message };
}

async function findPayment(connection: WooviConnection, ref: string, options: CallOptions | undefined) {
  const path = `/api/v1/payment/${encodeURIComponent(ref)}`;
  return wooviLookedUp(await connection.call({ method: 'GET', path, schema: paymentReplySchema }, options));
}
