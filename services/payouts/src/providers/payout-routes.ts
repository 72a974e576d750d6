import type { Currency, Environment } from '@gateway/contracts';
import type { PaymentProvider, RailCurrency } from '@gateway/providers';

/**
 * How often in a row, and over how long, a provider with consistent lookups has to know nothing of a payout before that
 * means it never arrived and may be sent again, under the same reference.
 */
export interface NeverArrived {
  readonly lookups: number;
  readonly afterMs: number;
}

/** A provider that may be asked for payouts in some currencies. */
export interface PayoutRoute {
  readonly provider: PaymentProvider;
  readonly currencies: readonly RailCurrency[];
  /** How long one call to the provider may take. */
  readonly callTimeoutMs: number;
  readonly neverArrived?: NeverArrived;
}

/** The providers of each environment, in the order they are asked. */
export type PayoutRoutes = Readonly<Record<Environment, readonly PayoutRoute[]>>;

/** The provider for a new payout, or undefined when the environment has none for the currency. */
export function routeFor(routes: PayoutRoutes, environment: Environment, currency: Currency): PayoutRoute | undefined {
  return routes[environment].find(
    (route) => route.provider.capabilities.payout && route.currencies.some((served) => served === currency),
  );
}

/**
 * The provider a payout was given to. It never changes once a call may have been made: another provider would not know
 * the reference, and could pay a second time.
 *
 * @throws Error when it is not configured (any more); the payout stays as it is until it is
 */
export function routeOf(
  routes: PayoutRoutes,
  { environment, provider }: { environment: Environment; provider: string },
): PayoutRoute {
  const route = routes[environment].find((candidate) => candidate.provider.id === provider);
  if (!route) throw new Error(`provider ${provider} is not configured in ${environment}`);
  return route;
}
