import type { listProviders as listContract, Provider, updateProvider as contract } from '@gateway/contracts/deposits';
import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { ProviderBalance } from '@gateway/contracts/providers';
import type { Environment } from '@gateway/contracts/values';
import { moves } from '@gateway/money';
import type { ProvidersDependencies } from '#src/providers/dependencies.ts';
import { readBalances, setOwnFunds } from '#src/providers/provider-balance-table.ts';
import { type ChargeRoute, routeOf } from '#src/routing/charge-routes.ts';

const environments: readonly Environment[] = ['live', 'test'];

/**
 * Every configured provider, how routing treats it now, and what it holds. Read anew: who asks because of a change must not
 * be answered by a process that has not heard of it.
 */
export async function listProviders({
  chargeRoutes,
  providerSettings,
  database,
}: ProvidersDependencies): Promise<ReplyOf<typeof listContract>> {
  const [balances] = await Promise.all([readBalances(database), providerSettings.reload()]);
  const providers = environments.flatMap((environment) =>
    chargeRoutes[environment].map((route) => providerOf(environment, route, balances)),
  );
  return { providers };
}

/** @param known balances of all live providers */
function providerOf(environment: Environment, route: ChargeRoute, known: readonly ProviderBalance[]): Provider {
  const { provider } = route;
  return {
    environment,
    id: provider.id,
    enabled: route.isEnabled(),
    weight: route.weight(),
    healthy: route.isHealthy(),
    paymentMethods: [...provider.capabilities.rails],
    certificateEndsAt: provider.certificateEndsAt?.toISOString() ?? null,
    balances: environment === 'live' ? known.filter((balance) => balance.provider === provider.id) : [],
  };
}

/**
 * An operator's decision about a provider. New charges follow it; those it has already are still its own.
 *
 * @throws NotFoundError for a provider that is not configured in the environment
 * @throws ValidationError on `own_funds` for one that answers no balance in that currency
 */
export async function updateProvider(
  { chargeRoutes, providerSettings, announceProviders, database, now }: ProvidersDependencies,
  { environment, id, enabled, weight, ownFunds }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const route = routeOf(chargeRoutes, environment, id);
  if (!route) throw new NotFoundError('provider');
  const before = providerOf(environment, route, await readBalances(database));
  if (ownFunds) {
    requireBalance(route, ownFunds.currency);
    await setOwnFunds(database, { provider: id, ...ownFunds, now: now() });
  }
  const change = { ...(enabled === undefined ? {} : { enabled }), ...(weight === undefined ? {} : { weight }) };
  if (Object.keys(change).length > 0) await providerSettings.change(environment, id, change);
  announceProviders();
  return { before, provider: providerOf(environment, route, await readBalances(database)) };
}

type OwnFunds = NonNullable<RequestOf<typeof contract>['ownFunds']>;

function requireBalance({ provider: { id, capabilities } }: ChargeRoute, currency: OwnFunds['currency']): void {
  if (capabilities.balance && capabilities.rails.some((rail) => moves(currency, rail))) return;
  throw new ValidationError([{ path: 'own_funds', message: `${id} tells no balance in ${currency}` }]);
}
