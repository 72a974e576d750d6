import { asked } from '#src/certainty.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type { PayoutInput, PayoutLookup, PayoutOutcome, PayoutState } from '#src/payouts.ts';
import { reasonOf, refusal, unsupported, type SpeiConnection } from '#src/spei/connection.ts';
import { transferSchema, type SpeiTransfer } from '#src/spei/wire.ts';

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
      if (outcome.value.reference === ref) return payoutOutcome(outcome.value);
      return { kind: 'unknown', cause: 'the provider answered with another transfer' };
    case 'rejected': {
      // A 409 says that an earlier call arrived; it is never a refusal.
      if (outcome.status !== 409) return refusal(outcome);
      const found = await findTransfer(connection, ref, options);
      if (found.status === 'FOUND') return payoutOutcome(found.value);
      return { kind: 'unknown', cause: 'the reference was used before, and its transfer cannot be had' };
    }
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

export async function getPayout(
  connection: SpeiConnection,
  { ref }: Pick<PayoutLookup, 'ref'>,
  options?: CallOptions,
): Promise<PayoutState> {
  const found = await findTransfer(connection, ref, options);
  if (found.status !== 'FOUND') return found;
  const { reference: providerRef, tracking_key: e2eId, status, settled_at: paidAt, failure } = found.value;
  switch (status) {
    case 'PROCESSING':
      return { status, providerRef, e2eId };
    case 'SETTLED':
      if (!paidAt)
        return { status: 'UNAVAILABLE', cause: 'the transfer is settled, and the provider does not say when' };
      return asked({ status: 'PAID', providerRef, e2eId, paidAt });
    case 'FAILED':
      return asked({ status, providerRef, e2eId, ...reasonOf(failure) });
  }
}

function payoutOutcome({ reference: providerRef, tracking_key: e2eId, status, failure }: SpeiTransfer): PayoutOutcome {
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
