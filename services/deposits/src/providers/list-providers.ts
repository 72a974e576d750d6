import type { listProviders as contract, Provider } from '@gateway/contracts/deposits';
import type { ReplyOf } from '@gateway/contracts/messages';
import type { ProviderBalance } from '@gateway/contracts/providers';
import type { Environment } from '@gateway/contracts/values';
import type { ProvidersDependencies } from '#src/providers/dependencies.ts';
import { readBalances } from '#src/providers/provider-balance-table.ts';
import type { ChargeRoute } from '#src/routing/charge-routes.ts';

const environments: readonly Environment[] = ['live', 'test'];

/** Every configured provider, how routing treats it now, and what it holds. */
export async function listProviders({
  chargeRoutes,
  database,
}: ProvidersDependencies): Promise<ReplyOf<typeof contract>> {
  const balances = await readBalances(database);
  const providers = environments.flatMap((environment) =>
    chargeRoutes[environment].map((route) => providerOf(environment, route, balances)),
  );
  return { providers };
}

/** @param known balances of all live providers */
export function providerOf(environment: Environment, route: ChargeRoute, known: readonly ProviderBalance[]): Provider {
  const { provider } = route;
  return {
    environment,
    id: provider.id,
    enabled: route.isEnabled(),
    weight: route.weight(),
    healthy: route.isHealthy(),
    paymentMethods: [...provider.capabilities.rails],
    balances: environment === 'live' ? known.filter((balance) => balance.provider === provider.id) : [],
  };
}
