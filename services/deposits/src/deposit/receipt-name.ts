import type { ReceiptName } from '@gateway/providers';

interface RecordedName {
  readonly e2eId: string;
  readonly trackingKey?: string | null | undefined;
}

/** How a payment is named in the records: by the rail's id, or by its provider's where the rail's may repeat. */
export function recordedName({ e2eId, transferId }: ReceiptName) {
  return transferId === undefined ? { e2eId, trackingKey: null } : { e2eId: transferId, trackingKey: e2eId };
}

/** How people and its provider name a payment on record. */
export function receiptName({ e2eId, trackingKey }: RecordedName): ReceiptName {
  return trackingKey ? { e2eId: trackingKey, transferId: e2eId } : { e2eId };
}
