import type { Charge } from '#src/account/charge.ts';
import type { Dispute } from '#src/account/dispute.ts';
import type { ReceivedPayment } from '#src/account/received-payment.ts';
import type { Refund } from '#src/account/refund.ts';
import type { Transfer, TransferReturn } from '#src/account/transfer.ts';

/** Something that happened at the bank and may have to be notified. */
export type BankEvent = { readonly at: Date } & (
  | { readonly kind: 'payment'; readonly payment: ReceivedPayment; readonly charge: Charge }
  | {
      readonly kind: 'refund';
      readonly refund: Refund;
      readonly payment: ReceivedPayment;
      readonly charge: Charge;
    }
  | { readonly kind: 'charge-expired'; readonly charge: Charge }
  | {
      readonly kind: 'transfer' | 'transfer-return';
      readonly transfer: Transfer;
      readonly returns: readonly TransferReturn[];
    }
  | { readonly kind: 'dispute'; readonly dispute: Dispute }
);

/**
 * How a notification is signed: `ours` as the provider signs those of our account, `platform` with what it signs those of
 * all its customers with (without the proof of our registration), `wrong` with another key, `none` not at all. A hint of
 * the Pix API has no signature; there `wrong` and `none` come with another secret in the address, or with none.
 */
export const signings = ['ours', 'platform', 'wrong', 'none'] as const;
export type Signing = (typeof signings)[number];

/** A notification in a dialect's words, before its addresses are known. */
export interface Message {
  /** The key or the event it is registered under. */
  readonly topic: string;
  readonly body: object;
}
