import type { PayoutLookup, PayoutReturns, PayoutState as StateAtProvider } from '@gateway/providers';
import { measureProviderCall } from '@gateway/provider-feeds';
import { payoutInputOf } from '#src/execution/payout-input.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutRoute } from '#src/providers/payout-routes.ts';

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
