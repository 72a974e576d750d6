import { level } from '@gateway/runtime';
import type { ProvidersDependencies } from '#src/providers/dependencies.ts';
import { readBalances } from '#src/providers/provider-balance-table.ts';

const labels = ['provider', 'currency'] as const;
const difference = level(
  'gateway_provider_balance_difference_cents',
  'What a provider holds beyond, or short of, what the books explain, in minor units',
  labels,
);
const compared = level(
  'gateway_provider_balance_compared_seconds',
  "When a provider's balance was last compared with the books, in Unix seconds",
  labels,
);

/** Read from the table, so that every process shows the newest comparison; a provider that is gone is not shown. */
export async function observeBalances({ database, chargeRoutes }: ProvidersDependencies): Promise<void> {
  const configured = new Set(chargeRoutes.live.map((route) => route.provider.id));
  const balances = await readBalances(database);
  difference.reset();
  compared.reset();
  for (const { provider, currency, difference: amount, comparedAt } of balances) {
    if (!configured.has(provider)) continue;
    if (amount !== null) difference.set(amount, { provider, currency });
    compared.set(comparedAt, { provider, currency });
  }
}
