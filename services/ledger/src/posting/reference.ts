import type { Currency } from '@gateway/money';

interface Common {
  /** Id of the deposit, payout, refund or dispute. */
  readonly id: string;
  readonly accountId: string;
  readonly currency: Currency;
  /** What the record is about in total: gross deposit, payout without fee, refund, disputed amount. */
  readonly amount: number;
}

export interface DepositReference extends Common {
  readonly kind: 'deposit';
  /** Still in `pending`. */
  readonly pending: number;
  /** Unix seconds at which `pending` is due to be released. */
  readonly releaseAt: number | null;
  /**
   * Taken by refunds, open disputes and dispute returns. More than `amount` only where a refund that had been reversed
   * was carried out after all, beside another one.
   */
  readonly committed: number;
}

export interface PayoutReference extends Common {
  readonly kind: 'payout';
  readonly fee: number;
  readonly state: 'debited' | 'settled' | 'reversed';
  /** Sent back by the receiving bank after settlement. */
  readonly returned: number;
  /** Of amount and fee, what the account still owes: paid after it had been reversed, without the balance for it. */
  readonly shortfall: number;
}

export interface RefundReference extends Common {
  readonly kind: 'refund';
  readonly depositId: string;
  /**
   * `redebited`: carried out after it had been reversed. `held`, `returned`: an orphan receipt, which goes back to its
   * payer.
   */
  readonly state: 'reserved' | 'reversed' | 'redebited' | 'held' | 'returned';
  /** What the account still owes of a redebited one. */
  readonly shortfall: number;
}

export interface DisputeReference extends Common {
  readonly kind: 'dispute';
  readonly depositId: string;
  readonly state: 'open' | 'won' | 'lost';
  /** In `blocked` now. */
  readonly blocked: number;
  /** Still to be taken from later credits, until `captureUntil` (Unix seconds). */
  readonly shortfall: number;
  readonly captureUntil: number;
  /** Went back to the payer. */
  readonly returned: number;
  /** Where captured money goes once the dispute is lost. */
  readonly provider: string | null;
}

/** What the ledger keeps of a record, to check the later commands for it. */
export type Reference = DepositReference | PayoutReference | RefundReference | DisputeReference;
/** Records that can have a shortfall, which later credits pay. */
export type ShortReference = PayoutReference | RefundReference | DisputeReference;
export type ReferenceKind = Reference['kind'];
export type ReferenceOf<K extends ReferenceKind> = Extract<Reference, { kind: K }>;
