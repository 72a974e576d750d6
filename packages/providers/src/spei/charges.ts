import { asked } from '#src/certainty.ts';
import type {
  CancelChargeOutcome,
  ChargeInput,
  ChargeLookup,
  ChargeOutcome,
  ChargeReceipt,
  ChargeState,
} from '#src/charges.ts';
import { differs, unknownFor } from '#src/differs.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { CallOptions } from '#src/outcomes.ts';
import { refusal, unsupported, type SpeiConnection } from '#src/spei/connection.ts';
import { chargeSchema, type SpeiChargeReply, type SpeiPayment } from '#src/spei/wire.ts';

/** `PUT /charges/{reference}`: the same reference is the same charge, with the same CLABE. */
export async function createCharge(
  connection: SpeiConnection,
  input: ChargeInput,
  options?: CallOptions,
): Promise<ChargeOutcome> {
  const { ref, money, expiresInSec, payer, description } = input;
  if (money.currency !== 'MXN') return unsupported(`no charges in ${money.currency}`);
  const body = {
    amount: money.amount,
    currency: money.currency,
    expires_in_sec: expiresInSec,
    ...(payer?.name ? { payer_name: payer.name } : {}),
    ...(description ? { concept: description } : {}),
  };
  const outcome = await connection.call({ method: 'PUT', path: chargePath(ref), body, schema: chargeSchema }, options);
  switch (outcome.kind) {
    case 'answered':
      return chargeOutcome(outcome.value, input);
    case 'rejected': {
      // A 409 says that the reference was used before: its charge shows whether that was us.
      if (outcome.status !== 409) return refusal(outcome);
      const found = await findCharge(connection, ref, options);
      if (found.status === 'FOUND') return chargeOutcome(found.value, input);
      return { kind: 'unknown', cause: 'the reference was used before, and its charge cannot be had' };
    }
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

/** A partly paid charge is PAID here too: what arrived is what counts, and the caller adds it up. */
export async function getCharge(
  connection: SpeiConnection,
  { ref }: Pick<ChargeLookup, 'ref'>,
  options?: CallOptions,
): Promise<ChargeState> {
  const found = await findCharge(connection, ref, options);
  if (found.status !== 'FOUND') return found;
  const { reference, status, payments } = found.value;
  const isOurs = (payment: SpeiPayment) => payment.charge_reference === ref && payment.currency === 'MXN';
  if (reference !== ref || !payments.every(isOurs)) {
    return { status: 'UNAVAILABLE', cause: 'the provider answered with another charge, or another currency' };
  }
  const [first, ...others] = payments
    .map((payment) => asked(receiptOf(payment)))
    .sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime());
  if (first) return { status: 'PAID', receipts: [first, ...others] };
  switch (status) {
    case 'PENDING':
      return { status: 'OPEN' };
    case 'EXPIRED':
    case 'CANCELED':
      return { status };
    case 'COMPLETED':
      return { status: 'UNAVAILABLE', cause: 'the charge is paid, and the provider does not say by what' };
  }
}

/** `DELETE /charges/{reference}` */
export async function cancelCharge(
  connection: SpeiConnection,
  { ref }: Pick<ChargeLookup, 'ref'>,
  options?: CallOptions,
): Promise<CancelChargeOutcome> {
  const outcome = await connection.call({ method: 'DELETE', path: chargePath(ref) }, options);
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'accepted' };
    case 'rejected': {
      const refused = refusal(outcome);
      if (refused.kind === 'unknown') return refused;
      return { kind: 'not_cancelable', message: refused.message, raw: refused.raw };
    }
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

function chargeOutcome(charge: SpeiChargeReply, input: ChargeInput): ChargeOutcome {
  const other = differs(input, { ref: charge.reference, amount: charge.amount, currency: charge.currency });
  if (other) return unknownFor(other, input.ref);
  const { id: providerRef, clabe: account, expires_at: expiresAt } = charge;
  return { kind: 'accepted', charge: { kind: 'account', providerRef, account, expiresAt } };
}

async function findCharge(connection: SpeiConnection, ref: string, options: CallOptions | undefined) {
  return lookedUp(await connection.call({ method: 'GET', path: chargePath(ref), schema: chargeSchema }, options));
}

export function receiptOf({ tracking_key: e2eId, amount, paid_at: paidAt, payer }: SpeiPayment): ChargeReceipt {
  return {
    e2eId,
    money: { currency: 'MXN', amount },
    paidAt,
    ...(payer
      ? {
          payer: {
            name: payer.name ?? undefined,
            document: payer.document ?? undefined,
            bank: payer.bank ?? undefined,
          },
        }
      : {}),
  };
}

function chargePath(ref: string): string {
  return `/charges/${encodeURIComponent(ref)}`;
}
