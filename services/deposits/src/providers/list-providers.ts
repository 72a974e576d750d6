import type { Environment, listProviders as contract, Provider, ReplyOf } from '@gateway/contracts';
import type { Dependencies } from '#src/dependencies.ts';
import type { ChargeRoute } from '#src/providers/charge-routes.ts';

const environments: readonly Environment[] = ['live', 'test'];

/** Every configured provider and how routing treats it now. */
export function listProviders({ chargeRoutes }: Dependencies): ReplyOf<typeof contract> {
  const providers = environments.flatMap((environment) =>
    chargeRoutes[environment].map((route) => providerOf(environment, route)),
  );
  return { providers };
}

export function providerOf(environment: Environment, route: ChargeRoute): Provider {
  const { provider, paymentMethods } = route;
  return {
    environment,
    id: provider.id,
    enabled: route.isEnabled(),
    weight: route.weight(),
    healthy: route.isHealthy(),
    paymentMethods: [...paymentMethods],
  };
}
