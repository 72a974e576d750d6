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
  /**
   * Its answers follow from the record alone and a call has no effect: nothing has to be announced before a call, and a
   * call that was cut short by a crash is made again.
   */
  readonly answersFromRecord?: boolean;
  /** False while operators keep new payouts away from it; those it has are still its own. On where nothing is said. */
  readonly isEnabled?: () => boolean;
}

/** The providers of each environment, in the order they are asked. */
export type PayoutRoutes = Readonly<Record<Environment, readonly PayoutRoute[]>>;

export interface Wanted {
  readonly environment: Environment;
  readonly currency: Currency;
  readonly verifyOwner: boolean;
}

/** The provider for a new payout, or undefined when the environment has none that can do it. */
export function routeFor(routes: PayoutRoutes, wanted: Wanted): PayoutRoute | undefined {
  return routesFor(routes, wanted)[0];
}

/** Another provider for a payout that was not sent: the one that follows, and the first again after the last. */
export function routeAfter(
  routes: PayoutRoutes,
  wanted: Wanted & { readonly provider: string },
): PayoutRoute | undefined {
  const able = routesFor(routes, wanted);
  const current = able.findIndex(({ provider }) => provider.id === wanted.provider);
  return able[(current + 1) % able.length];
}

function routesFor(routes: PayoutRoutes, wanted: Wanted): PayoutRoute[] {
  return routes[wanted.environment].filter(
    ({ provider: { capabilities }, currencies, isEnabled }) =>
      isEnabled?.() !== false &&
      capabilities.payout &&
      (capabilities.ownerCheck || !wanted.verifyOwner) &&
      currencies.some((served) => served === wanted.currency),
  );
}

/**
 * The provider a payout is given to. It never changes once a call may have been taken: another provider would not know
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
