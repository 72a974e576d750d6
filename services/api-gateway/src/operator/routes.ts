import { activityEndpoints } from '#src/operator/activity.ts';
import { accountMoneyEndpoints } from '#src/operator/account-money.ts';
import { accountEndpoints, integrationEndpoints } from '#src/operator/accounts.ts';
import { adjustmentEndpoints } from '#src/operator/adjustments.ts';
import { approvalEndpoints } from '#src/operator/approvals.ts';
import { auditEndpoints } from '#src/operator/audit.ts';
import { changeStreamEndpoints } from '#src/operator/change-stream.ts';
import { conversionEndpoints } from '#src/operator/conversions.ts';
import { deadLetterEndpoints } from '#src/operator/dead-letters.ts';
import { depositEndpoints } from '#src/operator/deposits.ts';
import { exceptionEndpoints } from '#src/operator/exceptions.ts';
import { explainedEndpoints } from '#src/operator/explained.ts';
import { feedEndpoints } from '#src/operator/feeds.ts';
import { firstOwnerEndpoints } from '#src/operator/first-owner.ts';
import { keyEndpoints } from '#src/operator/keys.ts';
import { ledgerChainEndpoints } from '#src/operator/ledger-chain.ts';
import type { OperatorEndpointRow } from '#src/operator/operator-endpoint.ts';
import { operatingHistoryEndpoints } from '#src/operator/operating-history.ts';
import { overviewEndpoints } from '#src/operator/overview.ts';
import { payoutEndpoints } from '#src/operator/payouts.ts';
import { proofEndpoints } from '#src/operator/proof.ts';
import { peopleEndpoints } from '#src/operator/people.ts';
import { peopleInvitationEndpoints } from '#src/operator/people-invitations.ts';
import { providerEndpoints } from '#src/operator/providers.ts';
import { ownTransferEndpoints } from '#src/operator/own-transfers.ts';
import { reconciliationFindingEndpoints } from '#src/operator/reconciliation-findings.ts';
import { reconciliationEndpoints } from '#src/operator/reconciliations.ts';
import { requestEndpoints } from '#src/operator/requests.ts';
import { searchEndpoints } from '#src/operator/search.ts';
import { serviceTokenEndpoints } from '#src/operator/service-tokens.ts';
import { statementDayEndpoints } from '#src/operator/statement-days.ts';
import { statementFileEndpoints } from '#src/operator/statement-files.ts';
import { timelineEndpoints } from '#src/operator/timeline.ts';
import { totalsEndpoints } from '#src/operator/totals.ts';
import { treasuryEndpoints } from '#src/operator/treasury.ts';
import { deliveryEndpoints, webhookEndpoints } from '#src/operator/webhooks.ts';
import { orphanReceiptEndpoints } from '#src/operator/orphan-receipts.ts';
import { disputeEvidenceEndpoints } from '#src/operator/dispute-evidence.ts';
import { refundAndDisputeEndpoints } from '#src/operator/refunds-and-disputes.ts';

/** Every operation of the operator API (api.md 5). */
export const operatorRoutes: readonly OperatorEndpointRow[] = [
  ...accountEndpoints,
  ...accountMoneyEndpoints,
  ...activityEndpoints,
  ...firstOwnerEndpoints,
  ...keyEndpoints,
  ...approvalEndpoints,
  ...overviewEndpoints,
  ...totalsEndpoints,
  ...operatingHistoryEndpoints,
  ...searchEndpoints,
  ...depositEndpoints,
  ...payoutEndpoints,
  ...refundAndDisputeEndpoints,
  ...disputeEvidenceEndpoints,
  ...orphanReceiptEndpoints,
  ...treasuryEndpoints,
  ...conversionEndpoints,
  ...timelineEndpoints,
  ...providerEndpoints,
  ...feedEndpoints,
  ...integrationEndpoints,
  ...adjustmentEndpoints,
  ...reconciliationEndpoints,
  ...reconciliationFindingEndpoints,
  ...ledgerChainEndpoints,
  ...proofEndpoints,
  ...explainedEndpoints,
  ...exceptionEndpoints,
  ...ownTransferEndpoints,
  ...statementDayEndpoints,
  ...statementFileEndpoints,
  ...webhookEndpoints,
  ...deliveryEndpoints,
  ...requestEndpoints,
  ...deadLetterEndpoints,
  ...peopleEndpoints,
  ...peopleInvitationEndpoints,
  ...serviceTokenEndpoints,
  ...auditEndpoints,
];

/** What pages of the operators' console have beside it, and programs have no use for. */
export const operatorPageRoutes: readonly OperatorEndpointRow[] = changeStreamEndpoints;
