import type { updateProvider as contract } from '@gateway/contracts/deposits';
import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { moves } from '@gateway/money';
import type { ProvidersDependencies } from '#src/providers/dependencies.ts';
import { readBalances, setOwnFunds } from '#src/providers/provider-balance-table.ts';
import { routeOf, type ChargeRoute } from '#src/routing/charge-routes.ts';
import { providerOf } from '#src/providers/list-providers.ts';

/**
 * An operator's decision about a provider. New charges follow it; those it has already are still its own.
 *
 * @throws NotFoundError for a provider that is not configured in the environment
 * @throws ValidationError on `own_funds` for one that does not tell its balance in that currency
 */
export async function updateProvider(
  { chargeRoutes, providerSettings, database, now }: ProvidersDependencies,
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
  return { before, provider: providerOf(environment, route, await readBalances(database)) };
}

type OwnFunds = NonNullable<RequestOf<typeof contract>['ownFunds']>;

function requireBalance({ provider: { id, capabilities } }: ChargeRoute, currency: OwnFunds['currency']): void {
  if (capabilities.balance && capabilities.rails.some((rail) => moves(currency, rail))) return;
  throw new ValidationError([{ path: 'own_funds', message: `${id} tells no balance in ${currency}` }]);
}
