import { accountEndpoints, allowlistEndpoints } from '#src/merchant/account.ts';
import { adjustmentEndpoints, balanceEndpoints } from '#src/merchant/balance.ts';
import { conversionEndpoints } from '#src/merchant/conversions.ts';
import { depositEndpoints } from '#src/merchant/deposits.ts';
import { disputeEndpoints } from '#src/merchant/disputes.ts';
import { eventStreamEndpoints } from '#src/merchant/event-stream.ts';
import { eventEndpoints } from '#src/merchant/events.ts';
import { exportEndpoints } from '#src/merchant/exports.ts';
import { fileEndpoints } from '#src/merchant/files.ts';
import type { MerchantEndpointRow } from '#src/merchant/merchant-endpoint.ts';
import { payoutEndpoints } from '#src/merchant/payouts.ts';
import { proofEndpoints } from '#src/merchant/proof.ts';
import { refundEndpoints } from '#src/merchant/refunds.ts';
import { requestEndpoints } from '#src/merchant/requests.ts';
import { testModeEndpoints, testPayoutEndpoints, testWebhookEndpoints } from '#src/merchant/test-mode.ts';
import { totalsEndpoints } from '#src/merchant/totals.ts';
import { transactionEndpoints } from '#src/merchant/transactions.ts';
import { recordDeliveryEndpoints, webhookDeliveryEndpoints } from '#src/merchant/webhook-deliveries.ts';
import { webhookEndpoints, webhookSecretEndpoints } from '#src/merchant/webhooks.ts';

/** Every operation of the merchant API (spec 4, api.md 2). */
export const merchantRoutes: readonly MerchantEndpointRow[] = [
  ...depositEndpoints,
  ...refundEndpoints,
  ...disputeEndpoints,
  ...fileEndpoints,
  ...payoutEndpoints,
  ...balanceEndpoints,
  ...transactionEndpoints,
  ...totalsEndpoints,
  ...proofEndpoints,
  ...adjustmentEndpoints,
  ...exportEndpoints,
  ...conversionEndpoints,
  ...webhookEndpoints,
  ...webhookSecretEndpoints,
  ...webhookDeliveryEndpoints,
  ...recordDeliveryEndpoints,
  ...eventEndpoints,
  ...eventStreamEndpoints,
  ...requestEndpoints,
  ...accountEndpoints,
  ...allowlistEndpoints,
  ...testModeEndpoints,
  ...testPayoutEndpoints,
  ...testWebhookEndpoints,
];
