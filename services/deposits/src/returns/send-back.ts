import { requireRailCurrency, type Currency } from '@gateway/money';
import { toProviderReference } from '@gateway/pix';
import type { Differs, RefundInput } from '@gateway/providers';
import { measureProviderCall, providerText } from '@gateway/provider-feeds';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { receiptName } from '#src/deposit/receipt-name.ts';
import type { ChargeRoute } from '#src/routing/charge-routes.ts';
import type { ReturnAnswer } from '#src/returns/return-progress.ts';

const callTimeoutMs = 8_000;

/** How long a process that asks a provider holds the lease of a return: no second call is made while one is under way. */
export const returnLeaseMs = callTimeoutMs + 5_000;

/** Money to be sent back to its payer, as it is recorded; the same on every attempt. */
export interface Return {
  /** A refund id. */
  readonly id: string;
  readonly e2eId: string;
  readonly trackingKey?: string | null | undefined;
  readonly currency: Currency;
  readonly amount: number;
  readonly sentAt: Date;
  /** Set once the provider has taken it. */
  readonly providerRef?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

/** Sends a payment back; announced in its record before, and never inside a transaction. */
export async function sendBack(route: ChargeRoute, deposit: DepositRow, sending: Return): Promise<ReturnAnswer> {
  const refund = refundInputOf(deposit, sending);
  const signal = AbortSignal.timeout(callTimeoutMs);
  const outcome = await measureProviderCall(
    route.provider.id,
    'refund',
    ({ kind }) => kind,
    () => route.provider.refund(refund, { signal }),
  );
  switch (outcome.kind) {
    case 'accepted': {
      const { providerRef } = outcome;
      if (outcome.status === 'DONE') return { kind: 'done', providerRef, returnId: outcome.returnId };
      return { kind: 'processing', providerRef };
    }
    case 'refused':
      return { kind: 'refused', code: outcome.code, message: providerText(outcome.message) };
    case 'not_sent':
      return { kind: 'not_sent', cause: `${outcome.reason}: ${outcome.cause}` };
    case 'unknown':
      if (outcome.differs) return otherThanAsked(outcome.differs, outcome.providerRef);
      return { kind: 'unknown', cause: outcome.cause, providerRef: outcome.providerRef };
  }
}

/** Asks what has become of a return; harmless at any time. */
export async function lookUpReturn(route: ChargeRoute, deposit: DepositRow, sending: Return): Promise<ReturnAnswer> {
  const refund = refundInputOf(deposit, sending);
  const { providerRef } = sending;
  const lookup = { ref: refund.ref, refund, ...(providerRef ? { providerRef } : {}) };
  const state = await route.provider.getRefund(lookup, { signal: AbortSignal.timeout(callTimeoutMs) });
  switch (state.status) {
    case 'DONE':
      return { kind: 'done', providerRef: state.providerRef, returnId: state.returnId };
    case 'FAILED': {
      const { code, message, providerRef: failedRef, cameBack = false } = state;
      return { kind: 'failed', code, message: providerText(message), providerRef: failedRef, cameBack };
    }
    case 'PROCESSING':
      return { kind: 'processing', providerRef: state.providerRef };
    case 'DIFFERS':
      return otherThanAsked(state);
    case 'NOT_FOUND':
      return { kind: 'not_found' };
    case 'UNAVAILABLE':
      return { kind: 'unavailable', cause: state.cause };
  }
}

function otherThanAsked({ field, reported }: Omit<Differs, 'status'>, providerRef?: string): ReturnAnswer {
  return { kind: 'differs', cause: `the provider tells another ${field}: ${reported}`, providerRef };
}

function refundInputOf(deposit: DepositRow, sending: Return): RefundInput {
  const { id, currency, amount, sentAt, reason } = sending;
  return {
    ref: toProviderReference(id),
    sentAt,
    receipt: {
      ...receiptName(sending),
      chargeRef: deposit.reference,
      ...(deposit.providerRef ? { chargeProviderRef: deposit.providerRef } : {}),
    },
    money: { currency: requireRailCurrency(currency), amount },
    ...(reason ? { reason } : {}),
  };
}
