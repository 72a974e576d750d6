import { NotFoundError, type ReplyOf, type RequestOf, type updateProvider as contract } from '@gateway/contracts';
import type { Dependencies } from '#src/dependencies.ts';
import { routeOf } from '#src/providers/charge-routes.ts';
import { providerOf } from '#src/providers/list-providers.ts';

/**
 * An operator's decision about a provider. New charges follow it; those it has already are still its own.
 *
 * @throws NotFoundError for a provider that is not configured in the environment
 */
export async function updateProvider(
  { chargeRoutes, providerSettings }: Dependencies,
  { environment, id, enabled, weight }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const route = routeOf(chargeRoutes, environment, id);
  if (!route) throw new NotFoundError('provider');
  const before = providerOf(environment, route);
  const change = { ...(enabled === undefined ? {} : { enabled }), ...(weight === undefined ? {} : { weight }) };
  await providerSettings.change(environment, id, change);
  return { before, provider: providerOf(environment, route) };
}
