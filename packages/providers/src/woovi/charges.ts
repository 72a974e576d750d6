import { asked, type Asked } from '#src/certainty.ts';
import type {
  CancelChargeOutcome,
  ChargeInput,
  ChargeLookup,
  ChargeOutcome,
  ChargePayer,
  ChargeReceipt,
  ChargeState,
} from '#src/charges.ts';
import { differs, unknownFor } from '#src/differs.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import type { CallOptions } from '#src/outcomes.ts';
import { isNotFound, refusal, wooviLookedUp, type WooviConnection } from '#src/woovi/connection.ts';
import { readTransactions } from '#src/woovi/list-transactions.ts';
import {
  chargeReplySchema,
  chargeStateSchema,
  hasMoved,
  transactionSchema,
  type WooviCharge,
  type WooviTransaction,
} from '#src/woovi/wire.ts';

/** Woovi takes no shorter life than five minutes; the gateway expires such a charge by its own clock. */
export const minExpirySec = 300;
const commentMaxCharacters = 140;

/**
 * `POST /api/v1/charge?return_existing=true`: the same correlationID gives the same charge. Should it be rejected all the
 * same, the charge is looked up before that counts.
 */
export async function createCharge(
  connection: WooviConnection,
  input: ChargeInput,
  options?: CallOptions,
): Promise<ChargeOutcome> {
  if (input.money.currency !== 'BRL') {
    return { kind: 'not_sent', reason: 'unsupported', cause: `no charges in ${input.money.currency}` };
  }
  const outcome = await connection.call(
    {
      method: 'POST',
      path: '/api/v1/charge?return_existing=true',
      body: chargeBody(input),
      schema: chargeReplySchema,
    },
    options,
  );
  switch (outcome.kind) {
    case 'answered':
      return chargeOutcome(outcome.value.charge, input);
    case 'rejected': {
      const found = await findCharge(connection, input.ref, options);
      if (found.status === 'FOUND') return chargeOutcome(found.value.charge, input);
      if (found.status === 'NOT_FOUND') return refusal(outcome);
      return { kind: 'unknown', cause: `rejected with ${outcome.status}, and ${found.cause}` };
    }
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

export async function getCharge(
  connection: WooviConnection,
  { ref, charge }: Pick<ChargeLookup, 'ref' | 'charge'>,
  options?: CallOptions,
): Promise<ChargeState> {
  const call = { method: 'GET', path: chargePath(ref), schema: chargeStateSchema } as const;
  const found = wooviLookedUp(await connection.call(call, options));
  if (found.status !== 'FOUND') return found;
  if (found.value.charge.correlationID !== ref) {
    return { status: 'UNAVAILABLE', cause: 'the provider answered with another charge' };
  }
  switch (found.value.charge.status) {
    case 'ACTIVE':
      return { status: 'OPEN' };
    case 'EXPIRED':
      // It may have been paid in its last moment, or after it.
      return (await receiptsOf(connection, charge, options)) ?? { status: 'EXPIRED' };
    case 'COMPLETED':
      return (await receiptsOf(connection, charge, options)) ?? paidByNothing;
  }
}

/** `DELETE /api/v1/charge/{id}`. A deleted charge is not found any more: that is what a repeated call is answered. */
export async function cancelCharge(
  connection: WooviConnection,
  { ref }: Pick<ChargeLookup, 'ref'>,
  options?: CallOptions,
): Promise<CancelChargeOutcome> {
  const outcome = await connection.call({ method: 'DELETE', path: chargePath(ref) }, options);
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'accepted' };
    case 'rejected': {
      if (isNotFound(outcome)) return { kind: 'accepted' };
      const refused = refusal(outcome);
      if (refused.kind === 'unknown') return refused;
      return { kind: 'not_cancelable', message: refused.message, raw: refused.raw };
    }
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

function chargeBody(input: ChargeInput): object {
  const { ref, money, payer, description } = input;
  return {
    correlationID: ref,
    value: money.amount,
    expiresIn: expirySecOf(input),
    ...(description ? { comment: description.slice(0, commentMaxCharacters) } : {}),
    ...customerOf(payer),
  };
}

function expirySecOf({ expiresInSec }: ChargeInput): number {
  return Math.max(expiresInSec, minExpirySec);
}

/** Woovi takes a customer with a name and at least one way to know or reach them, or none. */
function customerOf(payer: ChargePayer | undefined): object {
  if (!payer?.name || !(payer.document || payer.email || payer.phone)) return {};
  const { name, document: taxID, email, phone } = payer;
  return { customer: { name, ...(taxID ? { taxID } : {}), ...(email ? { email } : {}), ...(phone ? { phone } : {}) } };
}

function chargeOutcome(charge: WooviCharge, input: ChargeInput): ChargeOutcome {
  const other = differs(input, { ref: charge.correlationID, amount: charge.value });
  if (other) return unknownFor(other, input.ref);
  const { transactionID: txid, brCode: emv, expiresDate } = charge;
  const expiresAt = expiresDate ?? new Date(input.createdAt.getTime() + expirySecOf(input) * 1_000);
  return { kind: 'accepted', charge: { kind: 'code', providerRef: txid, txid, emv, expiresAt } };
}

async function findCharge(connection: WooviConnection, ref: string, options: CallOptions | undefined) {
  return wooviLookedUp(
    await connection.call({ method: 'GET', path: chargePath(ref), schema: chargeReplySchema }, options),
  );
}

function chargePath(ref: string): string {
  return `/api/v1/charge/${encodeURIComponent(ref)}`;
}

const paidByNothing: ChargeState = {
  ...{ status: 'UNAVAILABLE', cause: 'the charge is paid, and the provider does not say by what' },
};

/**
 * What arrived on the charge, by its transactions; null for nothing. Each has to name the charge: were the filter not
 * obeyed, the list would be of everything that arrived on the account.
 */
async function receiptsOf(
  connection: WooviConnection,
  { ref, createdAt }: ChargeInput,
  options: CallOptions | undefined,
): Promise<ChargeState | null> {
  const filter = { charge: ref, type: 'PAYMENT' };
  const found = await readTransactions(connection, { filter, from: createdAt }, options);
  if (found.status !== 'FOUND') return found;
  const receipts: Asked<ChargeReceipt>[] = [];
  for (const item of found.items) {
    const transaction = transactionSchema.safeParse(item);
    if (!transaction.success) return { status: 'UNAVAILABLE', cause: `a transaction is ${shapeOf(item)}` };
    const { type, charge } = transaction.data;
    if (type !== undefined && type !== 'PAYMENT') continue;
    if (charge?.correlationID !== ref) {
      return { status: 'UNAVAILABLE', cause: 'the provider answered with a payment that does not name this charge' };
    }
    if (hasMoved(transaction.data)) receipts.push(asked(receiptOf(transaction.data)));
  }
  const [first, ...others] = receipts.sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime());
  return first ? { status: 'PAID', receipts: [first, ...others] } : null;
}

export function receiptOf({
  endToEndId,
  value,
  time,
  payer,
}: Pick<WooviTransaction, 'endToEndId' | 'value' | 'time' | 'payer'>): ChargeReceipt {
  return {
    e2eId: endToEndId,
    money: { currency: 'BRL', amount: value },
    paidAt: time,
    payer: payer ? { name: payer.name, document: payer.taxID?.taxID } : undefined,
  };
}
