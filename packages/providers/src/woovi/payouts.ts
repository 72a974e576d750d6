import type { PixKeyType } from '@gateway/pix';
import { asked } from '#src/certainty.ts';
import { failureCodes } from '#src/failure-codes.ts';
import { failureCodeOf } from '#src/failure-taxonomy.ts';
import type { Rejected } from '#src/http/classify.ts';
import type { CallOptions, NotSent } from '#src/outcomes.ts';
import type { PayoutInput, PayoutLookup, PayoutOutcome, PayoutState } from '#src/payouts.ts';
import { checkOwner } from '#src/woovi/check-owner.ts';
import { refusal, wooviLookedUp, type WooviConnection } from '#src/woovi/connection.ts';
import { paymentReplySchema, type WooviPaymentReply } from '#src/woovi/wire.ts';

const commentMaxCharacters = 140;

const aliasTypes = {
  cpf: 'CPF',
  cnpj: 'CNPJ',
  email: 'EMAIL',
  phone: 'PHONE',
  random: 'RANDOM',
} as const satisfies Record<PixKeyType, string>;

/**
 * `POST /api/v1/payment` with `autoApprove`. The error text does not tell a repeated correlationID from a refusal, so a
 * rejection is followed by a look at the payment before it counts.
 */
export async function createPayout(
  connection: WooviConnection,
  payout: PayoutInput,
  options?: CallOptions,
): Promise<PayoutOutcome> {
  const { money, destination } = payout;
  if (money.currency !== 'BRL') return unsupported(`no payouts in ${money.currency}`);
  if (destination.type === 'clabe') return unsupported('no payouts to a CLABE');
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
      if (outcome.value.payment.correlationID !== payout.ref) {
        return { kind: 'unknown', cause: 'the provider answered with another payment' };
      }
      return await approvedOutcome(connection, outcome.value, options);
    case 'rejected':
      return await existingPayout(connection, { ref: payout.ref, rejected: outcome }, options);
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

export async function getPayout(
  connection: WooviConnection,
  { ref }: Pick<PayoutLookup, 'ref'>,
  options?: CallOptions,
): Promise<PayoutState> {
  const found = await findPayment(connection, ref, options);
  return found.status === 'FOUND' ? payoutState(found.value) : found;
}

function unsupported(cause: string): NotSent {
  return { kind: 'not_sent', reason: 'unsupported', cause };
}

async function existingPayout(
  connection: WooviConnection,
  { ref, rejected }: { readonly ref: string; readonly rejected: Rejected },
  options: CallOptions | undefined,
): Promise<PayoutOutcome> {
  const found = await findPayment(connection, ref, options);
  switch (found.status) {
    case 'FOUND':
      return await approvedOutcome(connection, found.value, options);
    case 'NOT_FOUND':
      return refusal(rejected);
    case 'UNAVAILABLE':
      return { kind: 'unknown', cause: `rejected with ${rejected.status}, and ${found.cause}`, providerRef: ref };
  }
}

/** A payment that waits for its approval, although it was asked for at once, is approved now. */
async function approvedOutcome(
  connection: WooviConnection,
  reply: WooviPaymentReply,
  options: CallOptions | undefined,
): Promise<PayoutOutcome> {
  const { correlationID } = reply.payment;
  if (reply.payment.status !== 'CREATED') return payoutOutcome(payoutState(reply), correlationID);
  const approved = await connection.call(
    { method: 'POST', path: '/api/v1/payment/approve', body: { correlationID }, schema: paymentReplySchema },
    options,
  );
  if (approved.kind === 'answered') return payoutOutcome(payoutState(approved.value), correlationID);
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
      return { kind: 'unknown', cause: `the ${state.field} differs`, differs: state, providerRef: ref };
    case 'UNAVAILABLE':
      return { kind: 'unknown', cause: state.cause, providerRef: ref };
  }
}

function payoutState(reply: WooviPaymentReply): PayoutState {
  const { payment, transaction } = reply;
  const facts = { providerRef: payment.correlationID, e2eId: transaction?.endToEndId ?? undefined };
  switch (payment.status) {
    case 'CREATED':
    case 'APPROVED':
      return { status: 'PROCESSING', ...facts };
    case 'CONFIRMED': {
      const { e2eId } = facts;
      if (!e2eId || !transaction?.time) {
        return {
          status: 'UNAVAILABLE',
          cause: 'the payment is confirmed, and the provider does not say under which id',
        };
      }
      return asked({ status: 'PAID', ...facts, e2eId, paidAt: transaction.time });
    }
    case 'FAILED':
    case 'DENIED':
      return asked({ status: 'FAILED', ...facts, ...reasonOf(reply) });
  }
}

export function reasonOf({ transaction, error }: Pick<WooviPaymentReply, 'transaction' | 'error'>) {
  const code = failureCodeOf(transaction?.providerErrorCode ?? error?.code ?? transaction?.providerRejectedReason);
  const message = transaction?.providerRejectedReason ?? error?.description ?? failureCodes[code].meaning;
  return { code, message };
}

async function findPayment(connection: WooviConnection, ref: string, options: CallOptions | undefined) {
  const path = `/api/v1/payment/${encodeURIComponent(ref)}`;
  return wooviLookedUp(await connection.call({ method: 'GET', path, schema: paymentReplySchema }, options));
}
