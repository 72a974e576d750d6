import type { Currency } from '@gateway/contracts';
import { toProviderReference } from '@gateway/pix';
import { railOf, type FailureCode, type RefundInput, type RailCurrency } from '@gateway/providers';
import { measureProviderCall } from '@gateway/service-kit';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import type { ChargeRoute } from '#src/providers/charge-routes.ts';

const sendTimeoutMs = 8_000;

/** Money to be sent back to its payer, as it is recorded; the same on every attempt. */
export interface Return {
  /** A refund id. */
  readonly id: string;
  readonly e2eId: string;
  readonly currency: Currency;
  readonly amount: number;
  readonly sentAt: Date;
  /** Set once the provider has taken it. */
  readonly providerRef?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

/** `waiting` is everything that is not certain: it is asked for again, under the same reference. */
export type SentBack =
  | { readonly kind: 'done'; readonly providerRef: string; readonly returnId: string }
  | { readonly kind: 'waiting'; readonly providerRef: string | null }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly message: string };

/** Sends a payment back, or asks what became of it once the provider has taken it. Never inside a transaction. */
export async function sendBack(route: ChargeRoute, deposit: DepositRow, sending: Return): Promise<SentBack> {
  const refund = refundInputOf(deposit, sending);
  const signal = AbortSignal.timeout(sendTimeoutMs);
  if (sending.providerRef) {
    const lookup = { ref: refund.ref, providerRef: sending.providerRef, refund };
    const state = await route.provider.getRefund(lookup, { signal });
    if (state.status === 'DONE') return { ...state, kind: 'done' };
    if (state.status === 'FAILED') return { ...state, kind: 'failed' };
    return { kind: 'waiting', providerRef: sending.providerRef };
  }
  const outcome = await measureProviderCall(
    route.provider.id,
    'refund',
    ({ kind }) => kind,
    () => route.provider.refund(refund, { signal }),
  );
  if (outcome.kind === 'refused') return { kind: 'failed', code: outcome.code, message: outcome.message };
  if (outcome.kind !== 'accepted') return { kind: 'waiting', providerRef: null };
  const { providerRef } = outcome;
  if (outcome.status === 'DONE') return { kind: 'done', providerRef, returnId: outcome.returnId };
  return { kind: 'waiting', providerRef };
}

function refundInputOf(deposit: DepositRow, sending: Return): RefundInput {
  const { id, e2eId, currency, amount, sentAt, reason } = sending;
  return {
    ref: toProviderReference(id),
    sentAt,
    receipt: {
      e2eId,
      chargeRef: deposit.reference,
      ...(deposit.providerRef ? { chargeProviderRef: deposit.providerRef } : {}),
    },
    money: { currency: railCurrencyOf(currency), amount },
    ...(reason ? { reason } : {}),
  };
}

function railCurrencyOf(currency: Currency): RailCurrency {
  if (!(currency in railOf)) throw new Error(`${currency} moves on no rail`);
  return currency as RailCurrency;
}
