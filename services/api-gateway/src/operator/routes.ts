import { accountEndpoints } from '#src/operator/accounts/accounts.ts';
import { adjustmentEndpoints } from '#src/operator/accounts/adjustments.ts';
import { approvalEndpoints } from '#src/operator/approvals.ts';
import { auditEndpoints } from '#src/operator/audit.ts';
import { deadLetterEndpoints } from '#src/operator/dead-letters/dead-letters.ts';
import { feedEndpoints } from '#src/operator/providers/feeds.ts';
import { integrationEndpoints } from '#src/operator/accounts/integrations.ts';
import { keyEndpoints } from '#src/operator/accounts/keys.ts';
import type { OperatorEndpointRow } from '#src/operator/operator-endpoint.ts';
import { payoutEndpoints } from '#src/operator/payments/payouts.ts';
import { orphanReceiptEndpoints } from '#src/operator/payments/orphan-receipts.ts';
import { providerEndpoints } from '#src/operator/providers/providers.ts';
import { refundAndDisputeEndpoints } from '#src/operator/payments/refunds-and-disputes.ts';
import { reconciliationEndpoints } from '#src/operator/providers/reconciliations.ts';

/** Every operation of the operator API (api.md 5). */
export const operatorRoutes: readonly OperatorEndpointRow[] = [
  ...accountEndpoints,
  ...keyEndpoints,
  ...approvalEndpoints,
  ...payoutEndpoints,
  ...refundAndDisputeEndpoints,
  ...orphanReceiptEndpoints,
  ...providerEndpoints,
  ...feedEndpoints,
  ...integrationEndpoints,
  ...adjustmentEndpoints,
  ...reconciliationEndpoints,
  ...deadLetterEndpoints,
  ...auditEndpoints,
];
