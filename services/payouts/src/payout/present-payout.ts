import { failureMessageOf, type OperatorPayout, type Payout, PayoutProcessing } from '@gateway/contracts/payouts';
import { unixSeconds } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import { outboxRow, type OutboxRow } from '@gateway/persistence';
import { publicStatus } from '#src/payout/life-cycle.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';

/** What of a record is shown to others than operators. */
export const shownMembers = [
  ...(['id', 'environment', 'accountId', 'externalId', 'state', 'currency', 'paymentMethod', 'amount', 'fee'] as const),
  ...(['returned', 'key', 'keyType', 'recipient', 'kind', 'e2eId', 'pendingReason', 'failureReason'] as const),
  ...(['metadata', 'apiVersion', 'createdAt', 'paidAt'] as const),
] satisfies readonly (keyof PayoutRow)[];
export type ShownPayout = Pick<PayoutRow, (typeof shownMembers)[number]>;

/**
 * The record as other services and merchants see it. Why it failed is shown when it has.
 *
 * @throws Error for a record that is invisible
 */
export function toPayout(row: ShownPayout): Payout {
  const status = publicStatus(row.state);
  if (status === null) throw new Error(`a payout that is ${row.state} has no public form`);
  const ended = status === 'FAILED' || status === 'REJECTED';
  const failureReason = ended ? (row.failureReason ?? null) : null;
  return {
    id: row.id,
    environment: row.environment,
    accountId: row.accountId,
    externalId: row.externalId,
    status,
    currency: row.currency,
    paymentMethod: row.paymentMethod,
    amount: row.amount,
    fee: row.fee,
    returned: row.returned,
    key: row.key,
    keyType: row.keyType,
    recipient: row.recipient,
    kind: row.kind,
    e2eId: row.e2eId ?? null,
    pendingReason: status === 'PENDING' ? (row.pendingReason ?? null) : null,
    failureReason,
    failureMessage: (failureReason && failureMessageOf(failureReason)) ?? null,
    metadata: row.metadata,
    apiVersion: row.apiVersion,
    createdAt: unixSeconds(row.createdAt),
    paidAt: status === 'PAID' ? (row.paidAt?.toISOString() ?? null) : null,
  };
}

/** The payload of an event that says what a payout has become. */
export function payoutEvent(row: PayoutRow, now: Date) {
  return {
    id: newId('event', now.getTime()),
    occurredAt: unixSeconds(now),
    provider: row.provider,
    payout: toPayout(row),
  };
}

/** The record as operators see it. @throws Error for a record that is invisible */
export function toOperatorPayout(row: PayoutRow): OperatorPayout {
  return {
    ...toPayout(row),
    provider: row.provider,
    reference: row.reference,
    providerRef: row.providerRef ?? null,
    traceId: row.trace.traceparent?.split('-')[1] ?? null,
    lookups: row.lookups,
    attentionAt: row.attentionAt?.toISOString() ?? null,
    attentionReason: row.attentionReason ?? null,
    decidedBy: row.decidedBy ?? null,
    decisionReason: row.decisionReason ?? null,
    providerMessage: row.providerMessage ?? null,
    failedCalls: [...row.failedCalls],
    alsoPaidBy: [...row.alsoPaidBy],
    // Those from before there were approvals have no id of one.
    resolution: row.resolution ? { ...row.resolution, approvalId: row.resolution.approvalId ?? null } : null,
  };
}

/** Published the first time only: a payout that had to be sent again has been PROCESSING all along. */
export function processingEvent(payout: PayoutRow, at: Date): ((moved: PayoutRow) => OutboxRow) | undefined {
  if (payout.processingAt) return undefined;
  return (moved) => outboxRow(PayoutProcessing, payoutEvent(moved, at));
}
