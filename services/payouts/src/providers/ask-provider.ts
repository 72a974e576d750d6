import { requireRailCurrency } from '@gateway/money';
import { measureProviderCall } from '@gateway/provider-feeds';
import type {
  CallOptions,
  PayoutInput,
  PayoutLookup,
  PayoutReturns,
  PayoutState as StateAtProvider,
} from '@gateway/providers';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutRoute } from '#src/providers/payout-routes.ts';

/**
 * One call of a provider, measured, for as long as its route allows. The timer ends with the call: one that stays until it
 * fires costs more than everything else that is done about the call.
 */
export async function callProvider<Answer>(
  { provider, callTimeoutMs }: PayoutRoute,
  operation: string,
  kindOf: (answer: Answer) => string,
  call: (options: CallOptions) => Promise<Answer>,
): Promise<Answer> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), callTimeoutMs);
  try {
    return await measureProviderCall(provider.id, operation, kindOf, () => call({ signal: deadline.signal }));
  } finally {
    clearTimeout(timer);
  }
}

/** What the provider says has become of it; one that is not configured any more cannot be asked. */
export async function askProvider(route: PayoutRoute | undefined, payout: PayoutRow): Promise<StateAtProvider> {
  if (!route) return { status: 'UNAVAILABLE', cause: `provider ${payout.provider} is not configured` };
  return await callProvider(route, 'look-up-payout', outcomeOf, (options) =>
    route.provider.getPayout(lookupOf(payout), options),
  );
}

/** Everything that has come back of it, whatever its age. */
export async function askForReturns(route: PayoutRoute | undefined, payout: PayoutRow): Promise<PayoutReturns> {
  if (!route) return { status: 'UNAVAILABLE', cause: `provider ${payout.provider} is not configured` };
  const { provider } = route;
  return await callProvider(
    route,
    'look-up-returns',
    outcomeOf,
    async (options) => (await provider.getPayoutReturns?.(lookupOf(payout), options)) ?? notAsked,
  );
}

const notAsked = { status: 'UNAVAILABLE', cause: 'the provider takes no such question' } as const;

function lookupOf(payout: PayoutRow): PayoutLookup {
  const { reference, providerRef, e2eId, sentAt } = payout;
  return {
    ref: reference,
    isSent: sentAt !== null,
    providerRef: providerRef ?? undefined,
    e2eId: e2eId ?? undefined,
    payout: payoutInputOf(payout),
  };
}

function outcomeOf({ status }: StateAtProvider | PayoutReturns): 'known' | 'unknown' {
  return status === 'UNAVAILABLE' ? 'unknown' : 'known';
}

/** What the provider is asked for; follows from the record alone, so that every retry asks the same. */
export function payoutInputOf(payout: PayoutRow): PayoutInput {
  const { currency, sentAt, createdAt, recipient } = payout;
  return {
    ref: payout.reference,
    // A restored database may have forgotten when it set out; it was not before it was created.
    sentAt: sentAt ?? createdAt,
    money: { currency: requireRailCurrency(currency), amount: payout.amount },
    destination: { type: payout.keyType, value: payout.key },
    recipient: { name: recipient.name, document: recipient.document },
    verifyOwner: payout.verifyOwner,
  };
}
