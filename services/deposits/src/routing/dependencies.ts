import type { DepositDependencies } from '#src/deposit/dependencies.ts';
import type { ChargeRoutes } from '#src/routing/charge-routes.ts';

export interface RoutingDependencies extends DepositDependencies {
  readonly chargeRoutes: ChargeRoutes;
}
