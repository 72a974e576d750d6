import { asked } from '#src/certainty.ts';
import { reasonOf, unsupported, type FintocConnection } from '#src/fintoc/connection.ts';
import { findTransfer, otherThan, sendTransfer, type RecordedTransfer } from '#src/fintoc/transfers.ts';
import type { FintocTransfer } from '#src/fintoc/wire.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type { PayoutInput, PayoutLookup, PayoutOutcome, PayoutReturns, PayoutState } from '#src/payouts.ts';

/** A transfer from the account to a CLABE. Fintoc verifies no holder, so such a payout is left to another provider. */
export async function createPayout(
  connection: FintocConnection,
  payout: PayoutInput,
  options?: CallOptions,
): Promise<PayoutOutcome> {
  const { money, destination, recipient, verifyOwner, description } = payout;
  if (money.currency !== 'MXN') return unsupported(`no payouts in ${money.currency}`);
  if (destination.type !== 'clabe') return unsupported('payouts go to a CLABE only');
  if (verifyOwner) return unsupported('the holder of a CLABE is not verified here');
  const order = { ...recorded(payout), account: destination.value, holder: recipient, comment: description };
  const sent = await sendTransfer(connection, order, options);
  if (sent.kind !== 'sent') return sent;
  const { transfer } = sent;
  const { id: providerRef, status } = transfer;
  const accepted = { kind: 'accepted', providerRef, ...named(transfer) } as const;
  switch (status) {
    case 'pending':
      return { ...accepted, status: 'PROCESSING' };
    case 'succeeded':
    case 'returned':
    case 'return_pending':
      return { ...accepted, status: 'PAID' };
    case 'failed':
    case 'rejected':
      return { kind: 'refused', ...reasonOf(transfer.return_reason), raw: { status, id: providerRef } };
    case 'reject_failed':
      return { kind: 'unknown', cause: `the transfer is ${status}`, providerRef };
  }
}

/**
 * `succeeded` is paid. `returned` is paid as well and came back since (`getPayoutReturns`): the status says that the
 * receiving institution had accepted it ("Transfer", data model, docs.fintoc.com, read on 22 November 2026), and a payout
 * that was paid does not become one that failed. Without a time of settlement, the time of the answer stands for it.
 */
export async function getPayout(
  connection: FintocConnection,
  lookup: Pick<PayoutLookup, 'payout' | 'providerRef'>,
  options?: CallOptions,
): Promise<PayoutState> {
  const order = recorded(lookup.payout, lookup.providerRef);
  const found = await findTransfer(connection, order, options);
  if (found.status !== 'FOUND') return found;
  const other = otherThan(order, found.value);
  if (other) return other;
  const { id: providerRef, status, tracking_key: trackingKey, transaction_date: paidAt } = found.value;
  switch (status) {
    case 'pending':
      return { status: 'PROCESSING', providerRef, ...named(found.value) };
    case 'succeeded':
    case 'returned':
    case 'return_pending':
      return asked({
        status: 'PAID',
        providerRef,
        e2eId: trackingKey ?? providerRef,
        paidAt: paidAt ?? connection.now(),
      });
    case 'failed':
    case 'rejected':
      return asked({ status: 'FAILED', providerRef, ...named(found.value), ...reasonOf(found.value.return_reason) });
    case 'reject_failed':
      return { status: 'UNAVAILABLE', cause: `the transfer is ${status}` };
  }
}

/** A transfer comes back as a whole or not at all: its status is then `returned`. The time is not stated. */
export async function getPayoutReturns(
  connection: FintocConnection,
  lookup: Pick<PayoutLookup, 'payout' | 'providerRef'>,
  options?: CallOptions,
): Promise<PayoutReturns> {
  const order = recorded(lookup.payout, lookup.providerRef);
  const found = await findTransfer(connection, order, options);
  if (found.status !== 'FOUND') return found;
  if (otherThan(order, found.value)) {
    return { status: 'UNAVAILABLE', cause: 'the provider answered with another transfer' };
  }
  if (found.value.status !== 'returned') return { status: 'FOUND', returns: [] };
  return { status: 'FOUND', returns: [asked(returnOf(found.value, connection.now()))] };
}

/** One transfer has one return, which its own name names. */
export function returnOf({ id, tracking_key: trackingKey, amount, return_reason: reason }: FintocTransfer, at: Date) {
  const money = { currency: 'MXN', amount } as const;
  return { returnId: trackingKey ?? id, money, at, ...(reason ? { reason } : {}) };
}

function recorded({ ref, sentAt, money }: PayoutInput, providerRef?: string): RecordedTransfer {
  return { kind: 'payout', ref, sentAt, money, ...(providerRef === undefined ? {} : { providerRef }) };
}

function named({ tracking_key: e2eId }: FintocTransfer) {
  return e2eId ? { e2eId } : {};
}
