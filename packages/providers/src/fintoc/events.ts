import { receiptOf } from '#src/fintoc/charges.ts';
import { reasonOf } from '#src/fintoc/connection.ts';
import { returnOf } from '#src/fintoc/payouts.ts';
import { transferSchema, type FintocEvent, type FintocTransfer } from '#src/fintoc/wire.ts';
import type { ProviderEvent } from '#src/notifications.ts';

/**
 * What webhooks are registered for ("Types of events" and "Send transfers", docs.fintoc.com, read on 22 November 2026).
 * Two pages name the event of a transfer that the receiving institution declines differently (`rejected`, `returned`), so
 * what happened is read from the status of the transfer and not from the name.
 */
export const notifiedEvents = [
  'transfer.inbound.succeeded',
  'transfer.outbound.succeeded',
  'transfer.outbound.failed',
  'transfer.outbound.rejected',
  'transfer.outbound.returned',
] as const;

export function isTransferEvent(type: string): boolean {
  return type.startsWith('transfer.');
}

/** What an event about a transfer reports; null where it does not fit. `nothing` for one that is still under way. */
export function eventOfNotification(providerId: string, event: FintocEvent): ProviderEvent | 'nothing' | null {
  const transfer = transferSchema.safeParse(event.data);
  if (!transfer.success) return null;
  return eventOfTransfer(providerId, { transfer: transfer.data, at: event.created_at, raw: event });
}

interface SeenTransfer {
  readonly transfer: FintocTransfer;
  readonly at: Date;
  readonly raw: unknown;
}

/** A transfer in its present state, from a notification or from a list; what is not ours is of no consequence. */
export function eventOfTransfer(providerId: string, seen: SeenTransfer): ProviderEvent | 'nothing' | null {
  if (seen.transfer.currency !== 'MXN') return null;
  if (seen.transfer.direction === 'inbound') return eventOfPayment(providerId, seen);
  const { kind, reference } = seen.transfer.metadata ?? {};
  if (reference === undefined) return 'nothing';
  if (kind === 'payout') return eventOfPayout(providerId, reference, seen);
  return kind === 'refund' ? eventOfRefund(providerId, reference, seen) : 'nothing';
}

/** A payment on an account number that is not a charge's (the root one, say) is money of the operator's own. */
function eventOfPayment(providerId: string, { transfer, at, raw }: SeenTransfer): ProviderEvent | 'nothing' | null {
  const reference = transfer.account_number?.metadata?.reference;
  if (transfer.status !== 'succeeded' || reference === undefined) return 'nothing';
  const { tracking_key: trackingKey } = transfer;
  if (!trackingKey) return null;
  const { paidAt, ...receipt } = receiptOf({ ...transfer, tracking_key: trackingKey }, at);
  const facts = { dedupeKey: `${providerId}:payment:${transfer.id}`, at: paidAt, raw };
  return { type: 'charge.paid', ...facts, ref: reference, ...receipt };
}

function eventOfPayout(
  providerId: string,
  ref: string,
  { transfer, at, raw }: SeenTransfer,
): ProviderEvent | 'nothing' {
  const { id, status, tracking_key: trackingKey, transaction_date: paidAt, return_reason: cause } = transfer;
  const facts = { dedupeKey: `${providerId}:transfer:${id}:${status}`, at, raw, ref };
  switch (status) {
    case 'succeeded':
      return { type: 'payout.paid', ...facts, at: paidAt ?? at, e2eId: trackingKey ?? id };
    case 'failed':
    case 'rejected':
      return { type: 'payout.failed', ...facts, ...reasonOf(cause) };
    case 'returned':
      return { type: 'payout.returned', ...facts, ...returnOf(transfer, at) };
    case 'pending':
    case 'return_pending':
    case 'reject_failed':
      return 'nothing';
  }
}

function eventOfRefund(
  providerId: string,
  ref: string,
  { transfer, at, raw }: SeenTransfer,
): ProviderEvent | 'nothing' {
  const { id, status, tracking_key: trackingKey, return_reason: cause } = transfer;
  const facts = { dedupeKey: `${providerId}:transfer:${id}:${status}`, at, raw, ref };
  switch (status) {
    case 'succeeded':
      return { type: 'refund.done', ...facts, returnId: trackingKey ?? id };
    case 'failed':
    case 'rejected':
    case 'returned':
      return { type: 'refund.failed', ...facts, ...reasonOf(cause) };
    case 'pending':
    case 'return_pending':
    case 'reject_failed':
      return 'nothing';
  }
}
