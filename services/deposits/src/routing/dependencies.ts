import type { DepositDependencies } from '#src/deposit/dependencies.ts';
import type { ChargeRoutes } from '#src/routing/charge-routes.ts';

export interface RoutingDependencies extends DepositDependencies {
  readonly chargeRoutes: ChargeRoutes;
  /** Since when this database has kept every change: it may have been restored then. */
  readonly rememberedSince: () => Promise<Date>;
}
