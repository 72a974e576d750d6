import type { MerchantPermission } from '@gateway/contracts/identity';
import type { AuditedRead } from '#src/approvals/audit.ts';

/** How an operation of the merchant API is used by a session. */
export interface SessionOperation {
  readonly permission: MerchantPermission;
  /** Whether the person confirms it, for that request alone. */
  readonly confirmed?: boolean;
  /** The name of the read in the audit trail, where the answer holds personal data. */
  readonly reads?: ReadAction;
}

type ReadAction = AuditedRead['action'];

const reading = (permission: MerchantPermission, reads?: ReadAction): SessionOperation => ({
  permission,
  ...(reads === undefined ? {} : { reads }),
});
const changing = (permission: MerchantPermission): SessionOperation => ({ permission });
const confirmedBy = (permission: MerchantPermission): SessionOperation => ({ permission, confirmed: true });

/**
 * The operations of the merchant API that people use by a session, by their names, each with its permission. Those that
 * are not here take a key: nothing is reached by a session because it was forgotten.
 */
export const sessionOperations: Readonly<Record<string, SessionOperation>> = {
  getAccount: reading('records:read'),
  getBranding: reading('records:read'),
  // Every payer of the account sees it at once.
  replaceBranding: confirmedBy('webhooks:write'),
  getBalance: reading('balances:read'),
  getPendingBalance: reading('balances:read'),
  getTotals: reading('balances:read'),
  getAdjustment: reading('records:read'),
  listTransactions: reading('balances:read', 'account.statement'),

  getDeposit: reading('records:read', 'deposit.read'),
  listDeposits: reading('records:read', 'deposit.list'),
  createDeposit: changing('charges:write'),
  cancelDeposit: changing('charges:write'),
  listDepositRefunds: reading('records:read'),
  listRefunds: reading('records:read'),
  getRefund: reading('records:read'),
  // Held until another person of the account decides it, unless it is within what one sends alone.
  createPayout: confirmedBy('money:propose'),
  createRefund: confirmedBy('money:propose'),
  // The money comes back.
  cancelPayout: confirmedBy('money:propose'),
  getPayout: reading('records:read', 'payout.read'),
  listPayouts: reading('records:read', 'payout.list'),
  // Both amounts stay in the account; who converts confirms the rate that was shown.
  createQuote: changing('money:propose'),
  createConversion: confirmedBy('money:propose'),
  getQuote: reading('records:read'),
  getConversion: reading('records:read'),
  listConversions: reading('records:read'),
  listDisputes: reading('records:read'),
  getDispute: reading('records:read', 'dispute.read'),
  createFile: changing('disputes:write'),
  getFile: reading('records:read'),
  // A file may hold anything: those who may see personal data see it, as they do in exports.
  getFileContent: reading('exports:create', 'file.read'),
  // Once a provider has it, it is not taken back; the confirmed request names each file by its SHA-256.
  submitDisputeEvidence: confirmedBy('disputes:write'),

  createExport: { ...confirmedBy('exports:create'), reads: 'export.create' },
  listExports: reading('exports:create'),
  getExport: reading('exports:create'),

  listWebhooks: reading('webhooks:read'),
  getWebhook: reading('webhooks:read'),
  listWebhookDeliveries: reading('webhooks:read'),
  getWebhookDelivery: reading('webhooks:read', 'delivery.read'),
  listRequests: reading('webhooks:read'),
  getRequest: reading('webhooks:read'),
  listEvents: reading('webhooks:read'),
  getEvent: reading('webhooks:read', 'event.read'),
  listEventDeliveries: reading('webhooks:read'),
  listDeliveries: reading('webhooks:read'),
  getDelivery: reading('webhooks:read', 'delivery.read'),
  testWebhook: changing('webhooks:write'),
  redeliverWebhookDelivery: changing('webhooks:write'),
  recoverWebhookDeliveries: changing('webhooks:write'),
  replayWebhookEvents: changing('webhooks:write'),
  deliverEvent: changing('webhooks:write'),
  redeliverDelivery: changing('webhooks:write'),
  // Each shows a secret, or changes who is notified: ending an endpoint ends what waits for it.
  createWebhook: confirmedBy('webhooks:write'),
  updateWebhook: confirmedBy('webhooks:write'),
  deleteWebhook: confirmedBy('webhooks:write'),
  rotateWebhookSecret: confirmedBy('webhooks:write'),
  createCallbackSecret: confirmedBy('webhooks:write'),

  simulateDepositPayment: changing('charges:write'),
  simulateDepositExpiry: changing('charges:write'),
  simulateDispute: changing('charges:write'),
  simulateDisputeResult: changing('charges:write'),
  simulatePayoutResult: changing('charges:write'),
  simulatePayoutApproval: changing('charges:write'),
  simulateWebhookFailure: changing('webhooks:write'),
  releaseTestBalance: changing('charges:write'),
};

/** Those that take a key, and why. */
export const keyOperations: Readonly<Record<string, string>> = {
  streamEvents: 'it is followed by programs; people read the list',
  getIpAllowlist: 'it is of the key that asks',
  replaceIpAllowlist: 'it is of the key that asks',
  getTransactionReceipt: 'a masked proof proves nothing',
  listProofKeys: 'proofs are checked by programs',
  getProofConsistency: 'proofs are checked by programs',
};
