import { createHash } from 'node:crypto';
import type { Environment } from '@gateway/contracts/values';
import type { PaymentMethod } from '@gateway/money';
import { type ConnectedProvider, type PaymentProvider, type Providers, sandboxProvider } from '@gateway/providers';
import type { ProviderSettings } from '#src/routing/provider-settings.ts';

/** A provider that may be asked for charges. */
export interface ChargeRoute {
  readonly provider: PaymentProvider;
  /** Share of the new charges; with 0 it is used only when no other can be. */
  readonly weight: () => number;
  /** False while operators keep new charges away from it. */
  readonly isEnabled: () => boolean;
  /** False while calls to it fail. */
  readonly isHealthy: () => boolean;
}

/** The providers of each environment, in the order they are asked. */
export type ChargeRoutes = Readonly<Record<Environment, readonly ChargeRoute[]>>;

interface Wanted {
  readonly environment: Environment;
  readonly paymentMethod: PaymentMethod;
  readonly amount: number;
}

/**
 * The providers for a new charge in the order they are asked: the healthy ones first, drawn by weight. The draw follows
 * from the seed, so that a repetition begins with the same provider.
 */
export function routesFor(routes: ChargeRoutes, wanted: Wanted, seed: string): readonly ChargeRoute[] {
  const able = routes[wanted.environment].filter((route) => route.isEnabled() && isAble(route, wanted));
  if (able.length < 2) return able;
  const placed = able.map((route) => ({ route, isDown: !route.isHealthy(), place: placeOf(route, seed) }));
  placed.sort((one, other) => Number(one.isDown) - Number(other.isDown) || one.place - other.place);
  return placed.map(({ route }) => route);
}

/** Whether there is a provider for it, and operators keep new charges away from each. */
export function areDisabled(routes: ChargeRoutes, wanted: Wanted): boolean {
  const able = routes[wanted.environment].filter((route) => isAble(route, wanted));
  return able.length > 0 && !able.some((route) => route.isEnabled());
}

function isAble({ provider: { capabilities } }: ChargeRoute, { paymentMethod, amount }: Wanted): boolean {
  return (
    capabilities.charge &&
    capabilities.rails.some((rail) => rail === paymentMethod) &&
    amount >= (capabilities.limits.minAmount ?? 0)
  );
}

/** Exponential draw with the weight as its rate: the smallest of several is each one with the chance of its weight. */
function placeOf({ provider, ...route }: ChargeRoute, seed: string): number {
  const weight = route.weight();
  const digest = createHash('sha256').update(`${provider.id} ${seed}`).digest();
  const share = (digest.readUInt32BE(0) + 1) / (2 ** 32 + 1);
  return weight === 0 ? Number.MAX_SAFE_INTEGER : -Math.log(share) / weight;
}

/** The provider that has a record's charge, while it is configured. */
export function routeOf(routes: ChargeRoutes, environment: Environment, providerId: string): ChargeRoute | undefined {
  return routes[environment].find((route) => route.provider.id === providerId);
}

/** Test mode never touches a payment provider (spec 5.3): its own is the sandbox. */
export function chargeRoutesOf(providers: Providers, settings: ProviderSettings, now: () => Date): ChargeRoutes {
  return {
    live: [...providers].map((provider) => routeTo(provider, 'live', settings)),
    test: [routeTo(sandboxProvider({ now }), 'test', settings)],
  };
}

/** Only an adapter on the wire has a circuit. */
function routeTo(
  provider: PaymentProvider & Partial<Pick<ConnectedProvider, 'circuit'>>,
  environment: Environment,
  settings: ProviderSettings,
): ChargeRoute {
  return {
    provider,
    weight: () => settings.of(environment, provider.id).weight,
    isEnabled: () => settings.of(environment, provider.id).enabled,
    isHealthy: () => provider.circuit !== 'open',
  };
}
