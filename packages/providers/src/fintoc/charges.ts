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
import { lookupOf, notSentWithout, refusal, unsupported, type FintocConnection } from '#src/fintoc/connection.ts';
import { holderName } from '#src/fintoc/account.ts';
import { clockSkewMs, itemsPerPage, readPage, searchPages } from '#src/fintoc/transfers.ts';
import { accountNumberSchema, transferSchema, type AccountNumber, type FintocTransfer } from '#src/fintoc/wire.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { CallOptions, NotFound, Unavailable } from '#src/outcomes.ts';

/** A description may have this many characters ("Account Number object"). */
const descriptionMaxCharacters = 40;
/** More pages of payments on one account number are not added up: the answer is then that nothing is known. */
const paymentPagesMax = 5;

/**
 * `POST /v2/account_numbers`: a CLABE for each charge. Fintoc allows one for each order ("Collect payments with dedicated
 * account numbers", docs.fintoc.com, read on 22 November 2026). The payer types the amount, so no limits are set on it.
 */
export async function createCharge(
  connection: FintocConnection,
  input: ChargeInput,
  options?: CallOptions,
): Promise<ChargeOutcome> {
  const { ref, money, description } = input;
  if (money.currency !== 'MXN') return unsupported(`no charges in ${money.currency}`);
  const body = {
    account_id: connection.config.accountId,
    description: (description ?? ref).slice(0, descriptionMaxCharacters),
    metadata: {
      reference: ref,
      kind: 'charge',
      amount: String(money.amount),
      expires_at: expiresAtOf(input).toISOString(),
    },
  };
  const call = { path: '/v2/account_numbers', body, schema: accountNumberSchema, reference: ref, isSigned: false };
  const outcome = await connection.create(call, options);
  switch (outcome.kind) {
    case 'answered':
      return await chargeOutcome(connection, outcome.value, input, options);
    case 'rejected': {
      // The key of idempotency was used before, maybe by an earlier call of ours whose answer was lost.
      const found = await findAccountNumber(connection, { ref, charge: input }, lookupOf(options));
      if (found.status === 'FOUND') return await chargeOutcome(connection, found.value, input, options);
      if (found.status === 'NOT_FOUND') return refusal(outcome);
      return { kind: 'unknown', cause: 'the request was rejected, and its account number cannot be had' };
    }
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

/**
 * The payments are those on the account number: `GET /v2/transfers?account_number_id=`. A partly paid charge is PAID here
 * too: what arrived is what counts, and the caller adds it up. Fintoc has no end of a charge, so it follows from ours.
 */
export async function getCharge(
  connection: FintocConnection,
  lookup: ChargeLookup,
  options?: CallOptions,
): Promise<ChargeState> {
  const found = await findAccountNumber(connection, lookup, options);
  if (found.status !== 'FOUND') return found;
  const { id, status, metadata } = found.value;
  if (metadata?.reference !== lookup.ref) {
    return { status: 'UNAVAILABLE', cause: 'the provider answered with another charge' };
  }
  const paid = await paymentsOn(connection, id, options);
  if (paid.status === 'UNAVAILABLE') return paid;
  const [first, ...others] = paid.payments
    .map((transfer) => asked(receiptOf(transfer, connection.now())))
    .sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime());
  if (first) return { status: 'PAID', receipts: [first, ...others] };
  if (status !== 'enabled') return { status: 'CANCELED' };
  return connection.now() < expiresAtOf(lookup.charge) ? { status: 'OPEN' } : { status: 'EXPIRED' };
}

/**
 * `PATCH /v2/account_numbers/{id}` with `disabled`: nothing arrives on it any more. Fintoc disables a paid one as well, so
 * the payments are read after it, when no further one can come.
 */
export async function cancelCharge(
  connection: FintocConnection,
  lookup: ChargeLookup,
  options?: CallOptions,
): Promise<CancelChargeOutcome> {
  const found = await findAccountNumber(connection, lookup, lookupOf(options));
  if (found.status === 'UNAVAILABLE') return notSentWithout(found.cause, options);
  if (found.status === 'NOT_FOUND') {
    return { kind: 'not_cancelable', message: 'there is no account number of this charge', raw: found };
  }
  const path = `/v2/account_numbers/${encodeURIComponent(found.value.id)}`;
  const call = { method: 'PATCH', path, body: { status: 'disabled' }, schema: accountNumberSchema } as const;
  const outcome = await connection.call(call, options);
  if (outcome.kind === 'not_sent' || outcome.kind === 'unknown') return outcome;
  if (outcome.kind === 'rejected') {
    const refused = refusal(outcome);
    if (refused.kind === 'unknown') return refused;
    return { kind: 'not_cancelable', message: refused.message, raw: refused.raw };
  }
  if (outcome.value.status === 'enabled') return { kind: 'unknown', cause: 'it is enabled after it was disabled' };
  const paid = await paymentsOn(connection, found.value.id, lookupOf(options));
  if (paid.status === 'UNAVAILABLE') return { kind: 'unknown', cause: paid.cause };
  const arrived = paid.payments.reduce((sum, { amount }) => sum + amount, 0);
  if (arrived < lookup.charge.money.amount) return { kind: 'accepted' };
  return { kind: 'not_cancelable', message: 'the charge is paid', raw: { arrived } };
}

interface WantedNumber extends Pick<ChargeLookup, 'ref' | 'providerRef'> {
  readonly charge?: Pick<ChargeInput, 'createdAt'>;
}

/**
 * By Fintoc's id, or without it by our reference in the list of account numbers, which has no filter by date: it is read
 * back to when the charge was made.
 */
export async function findAccountNumber(
  connection: FintocConnection,
  { ref, providerRef, charge }: WantedNumber,
  options?: CallOptions,
): Promise<{ readonly status: 'FOUND'; readonly value: AccountNumber } | NotFound | Unavailable> {
  if (providerRef !== undefined) {
    const path = `/v2/account_numbers/${encodeURIComponent(providerRef)}`;
    return lookedUp(await connection.call({ method: 'GET', path, schema: accountNumberSchema }, options));
  }
  const isBehind = charge ? isOlderThan(charge.createdAt) : () => false;
  const list = { path: '/v2/account_numbers', search: { account_id: connection.config.accountId }, isBehind };
  return await searchPages(
    connection,
    list,
    (item) => {
      const number = accountNumberSchema.safeParse(item);
      if (!number.success || number.data.metadata === undefined) return 'unreadable';
      return number.data.metadata?.reference === ref ? number.data : 'another';
    },
    options,
  );
}

/** True for a page that is the newest first, as far as it shows, and ends before that time. */
function isOlderThan(createdAt: Date) {
  const oldestMs = createdAt.getTime() - clockSkewMs;
  return (page: readonly unknown[]): boolean => {
    const times = page.map((item) => accountNumberSchema.safeParse(item).data?.created_at.getTime() ?? Number.NaN);
    const isNewestFirst = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0));
    return isNewestFirst && (times.at(-1) ?? oldestMs) < oldestMs && (times[0] ?? 0) > (times.at(-1) ?? 0);
  };
}

/** People know a payment by its tracking key. One without it is not counted: they would know it by another name later. */
export type FintocPayment = FintocTransfer & { readonly tracking_key: string };

type Payments = { readonly status: 'FOUND'; readonly payments: readonly FintocPayment[] } | Unavailable;

/** What arrived on an account number and stayed. One that cannot be read, or is another's, makes all of them unknown. */
export async function paymentsOn(
  connection: FintocConnection,
  accountNumberId: string,
  options?: CallOptions,
): Promise<Payments> {
  const list = { path: '/v2/transfers', search: { account_number_id: accountNumberId, direction: 'inbound' } };
  const payments: FintocPayment[] = [];
  let after: string | undefined;
  for (let page = 0; page < paymentPagesMax; page += 1) {
    const found = await readPage(connection, list, after, options);
    if (found.status !== 'FOUND') return found;
    for (const item of found.items) {
      const transfer = transferSchema.safeParse(item);
      if (!transfer.success) return { status: 'UNAVAILABLE', cause: 'a payment cannot be read' };
      const { account_number: number, direction, currency, status } = transfer.data;
      if (number?.id !== accountNumberId || direction !== 'inbound' || currency !== 'MXN') {
        return { status: 'UNAVAILABLE', cause: 'the provider answered with another payment, or another currency' };
      }
      if (status !== 'succeeded') continue;
      const { tracking_key: trackingKey } = transfer.data;
      if (!trackingKey) return { status: 'UNAVAILABLE', cause: 'a payment has no tracking key yet' };
      payments.push({ ...transfer.data, tracking_key: trackingKey });
    }
    after = found.next;
    if (after === undefined) return { status: 'FOUND', payments };
  }
  return { status: 'UNAVAILABLE', cause: `there are more than ${paymentPagesMax * itemsPerPage} payments` };
}

async function chargeOutcome(
  connection: FintocConnection,
  number: AccountNumber,
  input: ChargeInput,
  options: CallOptions | undefined,
): Promise<ChargeOutcome> {
  const { reference: ref = '', amount = input.money.amount } = number.metadata ?? {};
  const other = differs(input, { ref, amount });
  if (other) return unknownFor(other, number.id);
  const charge = { kind: 'account', providerRef: number.id, account: number.number } as const;
  const beneficiary = await holderName(connection, lookupOf(options));
  const shown = beneficiary === undefined ? {} : { beneficiary };
  return { kind: 'accepted', charge: { ...charge, ...shown, expiresAt: expiresAtOf(input) } };
}

function expiresAtOf({ createdAt, expiresInSec }: ChargeInput): Date {
  return new Date(createdAt.getTime() + expiresInSec * 1_000);
}

/** Tracking keys are given out by each bank for itself, so Fintoc's own id names the payment. */
export function receiptOf(payment: FintocPayment, now: Date): ChargeReceipt {
  const { id: transferId, amount, tracking_key: e2eId, transaction_date: paidAt, counterparty } = payment;
  return {
    e2eId,
    transferId,
    money: { currency: 'MXN', amount },
    paidAt: paidAt ?? now,
    ...(counterparty
      ? {
          payer: {
            name: counterparty.holder_name ?? undefined,
            document: counterparty.holder_id ?? undefined,
            bank: counterparty.institution?.name ?? undefined,
          },
        }
      : {}),
  };
}
