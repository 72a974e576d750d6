import { asked } from '#src/certainty.ts';
import { differs, unknownFor } from '#src/differs.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type {
  PayoutInput,
  PayoutLookup,
  PayoutOutcome,
  PayoutReturn,
  PayoutReturns,
  PayoutState,
} from '#src/payouts.ts';
import { reasonOf, refusal, unsupported, type SpeiConnection } from '#src/spei/connection.ts';
import { transferReturnsSchema, transferSchema, type SpeiReturn, type SpeiTransfer } from '#src/spei/wire.ts';

/** Names and concepts on the rail hold this much (Banxico: 39 or 40 characters). */
const railTextMaxCharacters = 39;

/** `PUT /transfers/{reference}`: the same reference is the same transfer. */
export async function createPayout(
  connection: SpeiConnection,
  payout: PayoutInput,
  options?: CallOptions,
): Promise<PayoutOutcome> {
  const { ref, money, destination, recipient, verifyOwner, description } = payout;
  if (money.currency !== 'MXN') return unsupported(`no payouts in ${money.currency}`);
  if (destination.type !== 'clabe') return unsupported('payouts go to a CLABE only');
  const body = {
    amount: money.amount,
    currency: money.currency,
    clabe: destination.value,
    beneficiary: {
      ...(recipient.name ? { name: recipient.name.slice(0, railTextMaxCharacters) } : {}),
      ...(recipient.document ? { document: recipient.document } : {}),
    },
    verify_holder: verifyOwner,
    ...(description ? { concept: description.slice(0, railTextMaxCharacters) } : {}),
  };
  const outcome = await connection.call(
    { method: 'PUT', path: transferPath(ref), body, schema: transferSchema },
    options,
  );
  switch (outcome.kind) {
    case 'answered':
      return payoutOutcome(outcome.value, payout);
    case 'rejected': {
      // An earlier call may have arrived: a 409 says so, and what refuses this one may be that one's money under way.
      const found = await findTransfer(connection, ref, options);
      if (found.status === 'FOUND') return payoutOutcome(found.value, payout);
      if (found.status === 'NOT_FOUND' && outcome.status !== 409) return refusal(outcome);
      return { kind: 'unknown', cause: `rejected with ${outcome.status}, and its transfer cannot be had` };
    }
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

/** Without a time of settlement, the time of the answer stands for it. */
export async function getPayout(
  connection: SpeiConnection,
  { payout }: Pick<PayoutLookup, 'payout'>,
  options?: CallOptions,
): Promise<PayoutState> {
  const found = await findTransfer(connection, payout.ref, options);
  if (found.status !== 'FOUND') return found;
  const other = otherThan(payout, found.value);
  if (other) return other;
  const { reference: providerRef, tracking_key: e2eId, status, settled_at: settledAt, failure } = found.value;
  switch (status) {
    case 'PROCESSING':
      return { status, providerRef, e2eId };
    case 'SETTLED':
      return asked({ status: 'PAID', providerRef, e2eId, paidAt: settledAt ?? connection.now() });
    case 'FAILED':
      return asked({ status, providerRef, e2eId, ...reasonOf(failure) });
  }
}

/** `GET /transfers/{reference}/returns`: what came back, whatever the transfer's age. */
export async function getPayoutReturns(
  connection: SpeiConnection,
  { payout }: Pick<PayoutLookup, 'payout'>,
  options?: CallOptions,
): Promise<PayoutReturns> {
  const path = `${transferPath(payout.ref)}/returns`;
  const found = lookedUp(await connection.call({ method: 'GET', path, schema: transferReturnsSchema }, options));
  if (found.status !== 'FOUND') return found;
  const { returns } = found.value;
  const { currency } = payout.money;
  const isOurs = (part: SpeiReturn) => part.transfer_reference === payout.ref && part.currency === currency;
  if (!returns.every(isOurs)) return { status: 'UNAVAILABLE', cause: 'the provider answered with another return' };
  return { status: 'FOUND', returns: returns.map((part) => asked(returnOf(part))) };
}

export function returnOf({ return_key: returnId, amount, returned_at: at, reason }: SpeiReturn): PayoutReturn {
  return { returnId, money: { currency: 'MXN', amount }, at, ...(reason ? { reason } : {}) };
}

function otherThan(payout: PayoutInput, { reference: ref, amount, currency }: SpeiTransfer) {
  return differs(payout, { ref, amount, currency });
}

function payoutOutcome(transfer: SpeiTransfer, payout: PayoutInput): PayoutOutcome {
  const other = otherThan(payout, transfer);
  if (other) return unknownFor(other, payout.ref);
  const { reference: providerRef, tracking_key: e2eId, status, failure } = transfer;
  switch (status) {
    case 'PROCESSING':
      return { kind: 'accepted', status, providerRef, e2eId };
    case 'SETTLED':
      return { kind: 'accepted', status: 'PAID', providerRef, e2eId };
    case 'FAILED':
      return { kind: 'refused', ...reasonOf(failure), raw: { status, failure } };
  }
}

async function findTransfer(connection: SpeiConnection, ref: string, options: CallOptions | undefined) {
  return lookedUp(await connection.call({ method: 'GET', path: transferPath(ref), schema: transferSchema }, options));
}

function transferPath(ref: string): string {
  return `/transfers/${encodeURIComponent(ref)}`;
}
