import { accountEndpoints } from '#src/merchant-api/account.ts';
import { adjustmentEndpoints } from '#src/merchant-api/adjustments.ts';
import { allowlistEndpoints } from '#src/merchant-api/ip-allowlist.ts';
import { balanceEndpoints } from '#src/merchant-api/balance.ts';
import { conversionEndpoints } from '#src/merchant-api/conversions.ts';
import { depositEndpoints } from '#src/merchant-api/deposits.ts';
import { disputeEndpoints } from '#src/merchant-api/disputes.ts';
import type { MerchantEndpointRow } from '#src/merchant-api/merchant-endpoint.ts';
import { payoutEndpoints } from '#src/merchant-api/payouts.ts';
import { refundEndpoints } from '#src/merchant-api/refunds.ts';
import { testModeEndpoints } from '#src/merchant-api/test-mode.ts';
import { testPayoutEndpoints } from '#src/merchant-api/test-payouts.ts';
import { transactionEndpoints } from '#src/merchant-api/transactions.ts';
import { webhookDeliveryEndpoints } from '#src/merchant-api/webhook-deliveries.ts';
import { webhookSecretEndpoints } from '#src/merchant-api/webhook-secrets.ts';
import { webhookEndpoints } from '#src/merchant-api/webhooks.ts';

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
