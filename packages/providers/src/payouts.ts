import type { PayoutKeyType, RailMoney } from '@gateway/money';
import type { Asked } from '#src/certainty.ts';
import type { FailureCode } from '#src/failure-codes.ts';
import type { Differs, NotFound, NotSent, Refused, Unavailable, Unknown } from '#src/outcomes.ts';

/** Where a payout goes: a key of the rail, in the form the rail keeps it. */
export interface PayoutDestination {
  readonly type: PayoutKeyType;
  readonly value: string;
}

export interface PayoutRecipient {
  readonly name?: string;
  /** CPF or CNPJ without punctuation; RFC or CURP on SPEI. */
  readonly document?: string;
}

/** A payout as the gateway recorded it before the first call; the same values on every retry. */
export interface PayoutInput {
  /** Derived from the payout's id (`toProviderReference`); a retry can never pay twice. */
  readonly ref: string;
  /** When the gateway first set out to send it; stored before the first call and not changed by a retry. */
  readonly sentAt: Date;
  readonly money: RailMoney;
  readonly destination: PayoutDestination;
  readonly recipient: PayoutRecipient;
  /** Refuse unless the key's holder is `recipient.document`; needs the capability `ownerCheck`. */
  readonly verifyOwner: boolean;
  readonly description?: string;
}

export type PayoutOutcome =
  | {
      readonly kind: 'accepted';
      readonly status: 'PROCESSING' | 'PAID';
      readonly providerRef: string;
      readonly e2eId?: string;
      /** When the result is expected, if the provider says; otherwise the usual schedule of lookups applies. */
      readonly lookUpAfterMs?: number;
    }
  | Refused
  | NotSent
  | Unknown;

/** What the gateway knows of a payout it asks about. Adapters on the wire need the references; the sandbox the rest. */
export interface PayoutLookup {
  readonly ref: string;
  /** False where our record says that it was never sent, which the sandbox believes: it keeps no record of its own. */
  readonly isSent?: boolean;
  readonly providerRef?: string;
  readonly e2eId?: string;
  readonly payout: PayoutInput;
}

/** The whole amount was paid, under our own reference. */
export interface PayoutPaid {
  readonly status: 'PAID';
  readonly providerRef: string;
  readonly e2eId: string;
  readonly paidAt: Date;
}

export interface PayoutFailed {
  readonly status: 'FAILED';
  readonly providerRef: string;
  readonly code: FailureCode;
  readonly message: string;
  readonly e2eId?: string;
}

export type PayoutState =
  | { readonly status: 'PROCESSING'; readonly providerRef: string; readonly e2eId?: string }
  | Asked<PayoutPaid>
  | Asked<PayoutFailed>
  | Differs
  | NotFound
  | Unavailable;

/** A part of a payout that the receiving bank sent back. */
export interface PayoutReturn {
  /** Unique per provider and payout. */
  readonly returnId: string;
  readonly money: RailMoney;
  readonly at: Date;
  readonly reason?: string;
}

/** Everything that came back of one payout so far, whatever its age. */
export type PayoutReturns =
  { readonly status: 'FOUND'; readonly returns: readonly Asked<PayoutReturn>[] } | NotFound | Unavailable;
