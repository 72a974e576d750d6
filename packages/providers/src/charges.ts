import type { RailMoney } from '@gateway/money';
import type { Asked } from '#src/certainty.ts';
import type { NotFound, NotSent, ReceiptName, Refused, Unavailable, Unknown } from '#src/outcomes.ts';

export interface ChargePayer {
  readonly name?: string;
  /** CPF or CNPJ without punctuation; RFC or CURP on SPEI. */
  readonly document?: string;
  readonly email?: string;
  /** E.164. */
  readonly phone?: string;
}

/** A charge as the gateway recorded it before calling; the same values on every retry. */
export interface ChargeInput {
  /** Derived from the deposit's id (`toProviderReference`); a retry can never make a second charge. */
  readonly ref: string;
  readonly createdAt: Date;
  readonly money: RailMoney;
  readonly expiresInSec: number;
  readonly payer?: ChargePayer;
  /** Shown to the payer where the provider has room for it. */
  readonly description?: string;
}

interface ChargeFacts {
  /** What the provider calls the charge. */
  readonly providerRef: string;
  /** When the provider stops taking payments; providers with a longest or shortest life may differ from what was asked. */
  readonly expiresAt: Date;
}

/** On a rail whose charges are codes (`rails` in money). */
export interface CodeCharge extends ChargeFacts {
  readonly kind: 'code';
  readonly txid: string;
  /** Copy-and-paste code. */
  readonly emv: string;
}

/** On a rail whose charges are account numbers. */
export interface AccountCharge extends ChargeFacts {
  readonly kind: 'account';
  /** Account to transfer to, where the provider gives one per charge. */
  readonly account?: string;
  /** Whose account that is, as the payer's bank shows it. */
  readonly beneficiary?: string;
  /** Payment page of the provider, where it has one. */
  readonly redirectUrl?: string;
}

export type Charge = CodeCharge | AccountCharge;

export type ChargeOutcome = { readonly kind: 'accepted'; readonly charge: Charge } | Refused | NotSent | Unknown;

/** The account a payment came from, as far as the provider names it. */
export interface PayerDetails {
  readonly name?: string;
  /** As the provider gives it: complete, or masked already. */
  readonly document?: string;
  /** Name of the payer's bank. */
  readonly bank?: string;
  /** PIX only. */
  readonly ispb?: string;
}

/** One payment that arrived on a charge. */
export interface ChargeReceipt extends ReceiptName {
  /** What arrived, which is not what was asked where the payer types the amount. */
  readonly money: RailMoney;
  readonly paidAt: Date;
  readonly payer?: PayerDetails;
}

/** What the gateway knows of a charge it asks about. Adapters on the wire need the references; the sandbox the rest. */
export interface ChargeLookup {
  readonly ref: string;
  readonly providerRef?: string;
  readonly charge: ChargeInput;
}

export type ChargeState =
  | { readonly status: 'OPEN' }
  /** Every payment that arrived, oldest first: the second one on a charge has to be sent back. */
  | { readonly status: 'PAID'; readonly receipts: readonly [Asked<ChargeReceipt>, ...Asked<ChargeReceipt>[]] }
  | { readonly status: 'CANCELED' }
  | { readonly status: 'EXPIRED' }
  | NotFound
  | Unavailable;

export type CancelChargeOutcome =
  | { readonly kind: 'accepted' }
  /** Paid, canceled or expired before the call; a lookup answers which. */
  | { readonly kind: 'not_cancelable'; readonly message: string; readonly raw: unknown }
  | NotSent
  | Unknown;
