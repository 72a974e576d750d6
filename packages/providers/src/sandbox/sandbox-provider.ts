import { paymentMethodSchema } from '@gateway/money';
import type { ChargeInput, ChargeState } from '#src/charges.ts';
import type { NotSent, Unavailable } from '#src/outcomes.ts';
import type { PaymentProvider, ProviderCapabilities } from '#src/payment-provider.ts';
import { sandboxCharge } from '#src/sandbox/simulated-rails.ts';
import { sandboxPayoutOutcome, sandboxPayoutState } from '#src/sandbox/payout.ts';
import { sandboxRefundOutcome, sandboxRefundState } from '#src/sandbox/refund.ts';

const capabilities: ProviderCapabilities = {
  rails: paymentMethodSchema.options,
  charge: true,
  cancelCharge: true,
  payout: true,
  ownerCheck: true,
  refund: 'partial',
  disputes: true,
  evidence: 'none',
  balance: false,
  statement: 'none',
  receivesPayments: false,
  notificationGrade: 'ours',
  consistentLookup: true,
  limits: { chargeRefMaxCharacters: 26, payoutRefMaxCharacters: 26 },
};

/**
 * The provider of test mode. It opens no socket and remembers nothing: every answer follows from the record the gateway
 * asks about and from the time, so any number of processes agree, and a restart changes nothing.
 *
 * It notices no payments: what happens in test mode is made by the functions of `simulated-events.ts`. It sends no
 * notifications either, so none is believed.
 */
export function sandboxProvider({ now }: { now: () => Date }): PaymentProvider {
  return {
    id: 'sandbox',
    capabilities,
    createCharge: async (charge, options) =>
      abortedCall(options?.signal) ?? { kind: 'accepted', charge: sandboxCharge(charge) },
    getCharge: async (lookup, options) => abortedLookup(options?.signal) ?? chargeState(lookup.charge, now()),
    cancelCharge: async (_lookup, options) => abortedCall(options?.signal) ?? { kind: 'accepted' },
    createPayout: async (payout, options) => abortedCall(options?.signal) ?? sandboxPayoutOutcome(payout),
    getPayout: async (lookup, options) => abortedLookup(options?.signal) ?? sandboxPayoutState(lookup, now()),
    refund: async (refund, options) => abortedCall(options?.signal) ?? sandboxRefundOutcome(refund),
    getRefund: async (lookup, options) => abortedLookup(options?.signal) ?? sandboxRefundState(lookup.refund),
    submitEvidence: async (_evidence, options) => abortedCall(options?.signal) ?? { kind: 'accepted' },
    verifyAndParseNotification: async () => ({ ok: false, reason: 'the sandbox sends no notifications' }),
    balance: async () => ({ ok: false, cause: 'the sandbox holds no money' }),
  };
}

function abortedCall(signal: AbortSignal | undefined): NotSent | null {
  return signal?.aborted ? { kind: 'not_sent', reason: 'aborted', cause: 'aborted before the call' } : null;
}

function abortedLookup(signal: AbortSignal | undefined): Unavailable | null {
  return signal?.aborted ? { status: 'UNAVAILABLE', cause: 'aborted before the call' } : null;
}

function chargeState(charge: ChargeInput, now: Date): ChargeState {
  return now < sandboxCharge(charge).expiresAt ? { status: 'OPEN' } : { status: 'EXPIRED' };
}
