import type { DescribedOperation } from './client-descriptions.ts';

/** What a call may do whose outcome is unknown: see `Repeat` of the SDK. */
export type Repeat = 'same' | 'state' | 'never';

/** Posts without an `external_id`: what a second one does. */
const posts: Readonly<Record<string, Repeat>> = {
  // The record is then in the state asked for, and refuses a second call or answers it with itself.
  cancelDeposit: 'state',
  cancelPayout: 'state',
  simulateDepositPayment: 'state',
  simulateDepositExpiry: 'state',
  simulateDisputeResult: 'state',
  simulatePayoutApproval: 'same',
  // What is pending is released; what was released is not pending.
  releaseTestBalance: 'same',
  // A second one makes a second record, secret or delivery.
  createQuote: 'never',
  createWebhook: 'never',
  createCallbackSecret: 'never',
  rotateWebhookSecret: 'never',
  testWebhook: 'never',
  redeliverWebhookDelivery: 'never',
  redeliverDelivery: 'never',
  recoverWebhookDeliveries: 'never',
  deliverEvent: 'never',
  // A second one answers that nothing is left.
  replayWebhookEvents: 'never',
  submitDisputeEvidence: 'never',
  createFile: 'never',
  simulateDispute: 'never',
  simulatePayoutResult: 'never',
  simulateWebhookFailure: 'never',
};

/** @throws Error for a new POST without an `external_id`, of which nothing is known here */
export function repeatOf({ id, method, hasExternalId }: DescribedOperation): Repeat {
  if (method !== 'POST' || hasExternalId) return 'same';
  const repeat = posts[id];
  if (repeat === undefined) throw new Error(`scripts/generated/operation-repeats.ts does not name ${id}`);
  return repeat;
}
