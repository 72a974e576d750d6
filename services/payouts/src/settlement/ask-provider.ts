import type { PayoutState as StateAtProvider } from '@gateway/providers';
import { measureProviderCall } from '@gateway/service-kit';
import { payoutInputOf } from '#src/execution/payout-input.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutRoute } from '#src/providers/payout-routes.ts';

/** What the provider says has become of it. */
export async function askProvider(
  { provider, callTimeoutMs }: PayoutRoute,
  payout: PayoutRow,
): Promise<StateAtProvider> {
  const { reference, providerRef, e2eId } = payout;
  const lookup = {
    ref: reference,
    providerRef: providerRef ?? undefined,
    e2eId: e2eId ?? undefined,
    payout: payoutInputOf(payout),
  };
  const call = () => provider.getPayout(lookup, { signal: AbortSignal.timeout(callTimeoutMs) });
  const outcomeOf = ({ status }: StateAtProvider) => (status === 'UNAVAILABLE' ? 'unknown' : 'known');
  return await measureProviderCall(provider.id, 'look-up-payout', outcomeOf, call);
}
