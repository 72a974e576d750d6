import type { followReturnLines as contract, ReturnLine } from '@gateway/contracts/payouts';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { keepEvent } from '@gateway/provider-feeds';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';

/**
 * Keeps what statements say of returns that no notification reported, as hints: they are applied from the inbox like a
 * notification that had to wait, so the provider is asked about each payout, in the limits that hold for notifications.
 */
export async function followReturnLines(
  { feeds, payoutRoutes }: ProviderFeedDependencies,
  { lines }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const asked = new Set(payoutRoutes.live.map(({ provider }) => provider.id));
  for (const line of lines) {
    if (!asked.has(line.provider)) continue;
    await keepEvent(feeds, { environment: 'live', provider: line.provider }, eventOf(line));
  }
  return {};
}

function eventOf({ returnId, currency, amount, bookedAt, e2eId, ref }: ReturnLine) {
  return {
    type: 'payout.returned',
    dedupeKey: `line:${returnId}`,
    at: new Date(bookedAt),
    raw: null,
    money: { currency, amount },
    returnId,
    ...(ref === null ? {} : { ref }),
    ...(e2eId === null ? {} : { e2eId }),
  };
}
