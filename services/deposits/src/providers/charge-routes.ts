import type { Currency, Environment, PaymentMethod } from '@gateway/contracts';
import { railOf, type PaymentProvider, type RailCurrency } from '@gateway/providers';

/** A provider that may be asked for charges. */
export interface ChargeRoute {
  readonly provider: PaymentProvider;
  /**
   * True when `createCharge` talks to nobody and follows from its input alone, so that there is nothing to be recovered
   * after a crash and the charge can be made before the record.
   */
  readonly offline: boolean;
  readonly paymentMethods: readonly PaymentMethod[];
}

/** The providers of each environment, in the order they are asked. */
export type ChargeRoutes = Readonly<Record<Environment, readonly ChargeRoute[]>>;

/** The provider for a new charge, or undefined when the environment has none for the method. */
export function routeFor(
  routes: ChargeRoutes,
  environment: Environment,
  paymentMethod: PaymentMethod,
): ChargeRoute | undefined {
  return routes[environment].find(
    (route) => route.provider.capabilities.charge && route.paymentMethods.includes(paymentMethod),
  );
}

/** The provider that has a record's charge, while it is configured. */
export function routeOf(routes: ChargeRoutes, environment: Environment, providerId: string): ChargeRoute | undefined {
  return routes[environment].find((route) => route.provider.id === providerId);
}

/** True for a currency that moves by this method. */
export function isOnRail(currency: Currency, paymentMethod: PaymentMethod): currency is RailCurrency {
  return currency in railOf && railOf[currency as RailCurrency] === paymentMethod;
}
