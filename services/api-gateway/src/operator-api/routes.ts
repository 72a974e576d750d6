import { accountEndpoints } from '#src/operator-api/accounts.ts';
import { adjustmentEndpoints } from '#src/operator-api/adjustments.ts';
import { approvalEndpoints } from '#src/operator-api/approvals.ts';
import { auditEndpoints } from '#src/operator-api/audit.ts';
import { deadLetterEndpoints } from '#src/operator-api/dead-letters.ts';
import { feedEndpoints } from '#src/operator-api/feeds.ts';
import { integrationEndpoints } from '#src/operator-api/integrations.ts';
import { keyEndpoints } from '#src/operator-api/keys.ts';
import type { OperatorEndpointRow } from '#src/operator-api/operator-endpoint.ts';
import { payoutEndpoints } from '#src/operator-api/payouts.ts';
import { orphanReceiptEndpoints } from '#src/operator-api/orphan-receipts.ts';
import { providerEndpoints } from '#src/operator-api/providers.ts';
import { refundAndDisputeEndpoints } from '#src/operator-api/refunds-and-disputes.ts';
import { reconciliationEndpoints } from '#src/operator-api/reconciliations.ts';

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
