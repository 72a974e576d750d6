export type RefundStatus = 'PROCESSING' | 'DONE' | 'FAILED';

/** A payment, or a part of it, on its way back to the payer. */
export interface Refund {
  readonly id: number;
  readonly paymentId: number;
  readonly reference: string;
  readonly returnId: string;
  readonly amount: number;
  /** `natureza` of the Pix API. */
  readonly nature: string;
  readonly description: string | null;
  readonly status: RefundStatus;
  readonly failure: string | null;
  readonly requestedAt: Date;
  readonly settledAt: Date | null;
}

export const refundColumns = `r.id, r.payment_id as "paymentId", r.reference, r.return_id as "returnId", r.amount, r.nature,
  r.description, r.status, r.failure, r.requested_at as "requestedAt", r.settled_at as "settledAt"`;
