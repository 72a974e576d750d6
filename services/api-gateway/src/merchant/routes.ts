import { accountEndpoints } from '#src/merchant/account/account.ts';
import { adjustmentEndpoints } from '#src/merchant/account/adjustments.ts';
import { allowlistEndpoints } from '#src/merchant/account/ip-allowlist.ts';
import { balanceEndpoints } from '#src/merchant/account/balance.ts';
import { conversionEndpoints } from '#src/merchant/account/conversions.ts';
import { depositEndpoints } from '#src/merchant/payments/deposits.ts';
import { disputeEndpoints } from '#src/merchant/payments/disputes.ts';
import type { MerchantEndpointRow } from '#src/merchant/merchant-endpoint.ts';
import { payoutEndpoints } from '#src/merchant/payments/payouts.ts';
import { refundEndpoints } from '#src/merchant/payments/refunds.ts';
import { testModeEndpoints } from '#src/merchant/payments/test-mode.ts';
import { testPayoutEndpoints } from '#src/merchant/payments/test-payouts.ts';
import { transactionEndpoints } from '#src/merchant/account/transactions.ts';
import { webhookDeliveryEndpoints } from '#src/merchant/webhooks/webhook-deliveries.ts';
import { webhookSecretEndpoints } from '#src/merchant/webhooks/webhook-secrets.ts';
import { webhookEndpoints } from '#src/merchant/webhooks/webhooks.ts';

/** Every operation of the merchant API (spec 4, api.md 2). */
export const merchantRoutes: readonly MerchantEndpointRow[] = [
  ...depositEndpoints,
  ...refundEndpoints,
  ...disputeEndpoints,
  ...payoutEndpoints,
  ...balanceEndpoints,
  ...transactionEndpoints,
  ...adjustmentEndpoints,
  ...conversionEndpoints,
  ...webhookEndpoints,
  ...webhookSecretEndpoints,
  ...webhookDeliveryEndpoints,
  ...accountEndpoints,
  ...allowlistEndpoints,
  ...testModeEndpoints,
  ...testPayoutEndpoints,
];
