import type { ItemOutcome } from '@gateway/provider-feeds';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { lookUpCharge } from '#src/provider-feed/look-up-charge.ts';
import type { ChargeKey } from '#src/payment/apply-receipt.ts';

const ledgerTimeoutMs = 5_000;

/**
 * Takes what has arrived on it; nothing is what is expected. The budget of calls may delay the question.
 *
 * @throws DomainError when the provider or the ledger does not answer
 */
export async function askAboutExpired(dependencies: ProviderFeedDependencies, charge: ChargeKey): Promise<ItemOutcome> {
  if (!dependencies.feeds.budget.take(charge.provider)) return { kind: 'later' };
  return await lookUpCharge(dependencies, charge, { ledgerTimeoutMs });
}
