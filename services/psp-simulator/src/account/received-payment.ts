/** A payment that arrived on a charge. */
export interface ReceivedPayment {
  readonly id: number;
  readonly dialect: string;
  readonly chargeId: number;
  readonly e2eId: string;
  readonly amount: number;
  readonly payer: Payer;
  readonly paidAt: Date;
}

export interface Payer {
  readonly name: string;
  /** CPF or CNPJ without punctuation; RFC or CURP on SPEI. */
  readonly document: string;
}

/** The documentation's own persons. */
export const usualPayers = {
  pix: { name: 'FULANO DE TAL', document: '12345678909' },
  spei: { name: 'JUAN PEREZ', document: 'XAXX010101000' },
} as const satisfies Record<string, Payer>;

/** Columns of a `ReceivedPayment`, for `select`. */
export const paymentColumns =
  'p.id, p.dialect, p.charge_id as "chargeId", p.e2e_id as "e2eId", p.amount, p.payer, p.paid_at as "paidAt"';
