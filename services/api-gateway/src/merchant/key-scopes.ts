import type { Caller, KeyScope } from '@gateway/contracts/accounts';
import { DomainError } from '@gateway/contracts/errors';

/** What says something about all that comes in and goes out. */
const statement: readonly KeyScope[] = ['deposits:read', 'payouts:read'];
const none: readonly KeyScope[] = [];

/**
 * What a key that is limited needs for each operation of the merchant API: all of the scopes. An operation that is not here
 * refuses limited keys: nothing is reached because it was forgotten.
 */
export const scopesByOperation: Readonly<Record<string, readonly KeyScope[]>> = {
  getAccount: none,
  getBranding: none,
  listProofKeys: none,
  getProofConsistency: none,

  createDeposit: ['deposits:write'],
  cancelDeposit: ['deposits:write'],
  getDeposit: ['deposits:read'],
  listDeposits: ['deposits:read'],
  getDepositQrSvg: ['deposits:read'],
  getDepositQrPng: ['deposits:read'],
  replaceBranding: ['deposits:write'],
  simulateDepositPayment: ['deposits:write'],
  simulateDepositExpiry: ['deposits:write'],
  releaseTestBalance: ['deposits:write'],

  createRefund: ['refunds:write'],
  listDepositRefunds: ['refunds:read'],
  listRefunds: ['refunds:read'],
  getRefund: ['refunds:read'],

  listDisputes: ['disputes:read'],
  getDispute: ['disputes:read'],
  submitDisputeEvidence: ['disputes:write'],
  createFile: ['disputes:write'],
  getFile: ['disputes:read'],
  getFileContent: ['disputes:read'],
  simulateDispute: ['disputes:write'],
  simulateDisputeResult: ['disputes:write'],

  createPayout: ['payouts:write'],
  cancelPayout: ['payouts:write'],
  getPayout: ['payouts:read'],
  listPayouts: ['payouts:read'],
  simulatePayoutResult: ['payouts:write'],
  simulatePayoutApproval: ['payouts:write'],
  // A conversion spends the balance as a payout does.
  createQuote: ['payouts:write'],
  getQuote: ['payouts:read'],
  createConversion: ['payouts:write'],
  getConversion: ['payouts:read'],
  listConversions: ['payouts:read'],
  getBalance: ['payouts:read'],
  getPendingBalance: statement,
  getTotals: statement,
  listTransactions: statement,
  getTransactionReceipt: statement,
  getAdjustment: statement,
  createExport: [...statement, 'refunds:read'],
  listExports: [...statement, 'refunds:read'],
  getExport: [...statement, 'refunds:read'],

  listWebhooks: ['webhooks:read'],
  getWebhook: ['webhooks:read'],
  listWebhookDeliveries: ['webhooks:read'],
  getWebhookDelivery: ['webhooks:read'],
  listDeliveries: ['webhooks:read'],
  getDelivery: ['webhooks:read'],
  // They show what all keys of the account do.
  listRequests: ['keys:read'],
  getRequest: ['keys:read'],
  listEvents: ['webhooks:read'],
  getEvent: ['webhooks:read'],
  listEventDeliveries: ['webhooks:read'],
  streamEvents: ['webhooks:read'],
  createWebhook: ['webhooks:write'],
  updateWebhook: ['webhooks:write'],
  deleteWebhook: ['webhooks:write'],
  rotateWebhookSecret: ['webhooks:write'],
  createCallbackSecret: ['webhooks:write'],
  testWebhook: ['webhooks:write'],
  simulateWebhookFailure: ['webhooks:write'],
  redeliverWebhookDelivery: ['webhooks:write'],
  recoverWebhookDeliveries: ['webhooks:write'],
  replayWebhookEvents: ['webhooks:write'],
  deliverEvent: ['webhooks:write'],
  redeliverDelivery: ['webhooks:write'],

  getIpAllowlist: ['keys:read'],
  replaceIpAllowlist: ['keys:write'],
};

/**
 * Whether the key of a call may be used for an operation.
 *
 * @throws DomainError SCOPE_MISSING, which names the first scope that it lacks
 */
export function requireScopes({ scopes }: Pick<Caller, 'scopes'>, operation: string): void {
  if (scopes === null) return;
  const needed = scopesByOperation[operation];
  if (!needed) throw new DomainError('SCOPE_MISSING', 'the operation takes a key without limits');
  const missing = needed.find((scope) => !scopes.includes(scope));
  if (missing) throw new DomainError('SCOPE_MISSING', `the operation takes a key with the scope ${missing}`);
}
