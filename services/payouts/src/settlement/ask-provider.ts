import { measureProviderCall } from '@gateway/provider-feeds';
import type { PayoutInput, PayoutLookup, PayoutReturns, PayoutState as StateAtProvider } from '@gateway/providers';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutRoute } from '#src/routing/payout-routes.ts';

/** What the provider says has become of it. */
export async function askProvider(
  { provider, callTimeoutMs }: PayoutRoute,
  payout: PayoutRow,
): Promise<StateAtProvider> {
  const call = () => provider.getPayout(lookupOf(payout), { signal: AbortSignal.timeout(callTimeoutMs) });
  return await measureProviderCall(provider.id, 'look-up-payout', outcomeOf, call);
}

/** Everything that has come back of it, whatever its age. */
export async function askForReturns(
  { provider, callTimeoutMs }: PayoutRoute,
  payout: PayoutRow,
): Promise<PayoutReturns> {
  const signal = AbortSignal.timeout(callTimeoutMs);
  const call = async () => (await provider.getPayoutReturns?.(lookupOf(payout), { signal })) ?? notAsked;
  return await measureProviderCall(provider.id, 'look-up-returns', outcomeOf, call);
}

const notAsked = { status: 'UNAVAILABLE', cause: 'the provider takes no such question' } as const;

function lookupOf(payout: PayoutRow): PayoutLookup {
  const { reference, providerRef, e2eId } = payout;
  return {
    ref: reference,
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
  if (currency === 'USDT') throw new Error('no rail moves USDT');
  return {
    ref: payout.reference,
    // A restored database may have forgotten when it set out; it was not before it was created.
    sentAt: sentAt ?? createdAt,
    money: { currency, amount: payout.amount },
    destination: { type: payout.keyType, value: payout.key },
    recipient: { name: recipient.name, document: recipient.document },
    verifyOwner: payout.verifyOwner,
  };
}
