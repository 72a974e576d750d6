import type { PaymentTable } from '#src/payment/payment-table.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

export interface PaymentDependencies extends RoutingDependencies {
  readonly payments: PaymentTable;
}
