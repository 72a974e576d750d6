import { accountEndpoints } from '#src/merchant-api/account.ts';
import { balanceEndpoints } from '#src/merchant-api/balance.ts';
import { depositEndpoints } from '#src/merchant-api/deposits.ts';
import type { MerchantEndpointRow } from '#src/merchant-api/merchant-endpoint.ts';
import { payoutEndpoints } from '#src/merchant-api/payouts.ts';
import { testModeEndpoints } from '#src/merchant-api/test-mode.ts';
import { transactionEndpoints } from '#src/merchant-api/transactions.ts';
import { webhookEndpoints } from '#src/merchant-api/webhooks.ts';

/** Every operation of the merchant API (spec 4, api.md 2). */
export const merchantRoutes: readonly MerchantEndpointRow[] = [
  ...depositEndpoints,
  ...payoutEndpoints,
  ...balanceEndpoints,
  ...transactionEndpoints,
  ...webhookEndpoints,
  ...accountEndpoints,
  ...testModeEndpoints,
];
