import type { RailMoney } from '@gateway/money';
import type { Asked } from '#src/certainty.ts';
import type { FailureCode } from '#src/failure-codes.ts';
import type { Differs, NotFound, NotSent, ReceiptName, Refused, Unavailable, Unknown } from '#src/outcomes.ts';

/** A refund as the gateway recorded it before the first call; the same values on every retry. */
export interface RefundInput {
  /** Derived from the refund's id (`toProviderReference`). */
  readonly ref: string;
  /** When the gateway first set out to send it; stored before the first call and not changed by a retry. */
  readonly sentAt: Date;
  /** The payment that goes back, and the charge it was made on (SPEI): of a charge that was paid twice, this one. */
  readonly receipt: ReceiptName & {
    readonly chargeRef: string;
    readonly chargeProviderRef?: string;
  };
  /** What goes back: the whole payment or, where the capability `refund` is `partial`, a part of it. */
  readonly money: RailMoney;
  readonly reason?: string;
}

export type RefundOutcome =
  | {
      readonly kind: 'accepted';
      readonly status: 'PROCESSING';
      readonly providerRef: string;
      readonly returnId?: string;
    }
  | { readonly kind: 'accepted'; readonly status: 'DONE'; readonly providerRef: string; readonly returnId: string }
  | Refused
  | NotSent
  | Unknown;

export interface RefundLookup {
  readonly ref: string;
  readonly providerRef?: string;
  readonly refund: RefundInput;
}

/** The whole amount of the refund went back, under our own reference. */
export interface RefundDone {
  readonly status: 'DONE';
  readonly providerRef: string;
  readonly returnId: string;
}

export interface RefundFailed {
  readonly status: 'FAILED';
  readonly providerRef: string;
  readonly code: FailureCode;
  readonly message: string;
  /** It had arrived, or may have, and was sent back to us: a refund that is done can still end so (SPEI). */
  readonly cameBack?: true;
}

export type RefundState =
  | { readonly status: 'PROCESSING'; readonly providerRef: string; readonly returnId?: string }
  | Asked<RefundDone>
  | Asked<RefundFailed>
  | Differs
  | NotFound
  | Unavailable;
