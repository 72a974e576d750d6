import type { RailMoney } from '@gateway/money';
import type { Graded } from '#src/certainty.ts';
import type { PayerDetails } from '#src/charges.ts';
import type { FailureCode } from '#src/failure-codes.ts';
import type { ReceiptName } from '#src/outcomes.ts';

/** A provider's call at our listener, before anything in it is believed. */
export interface ProviderNotification {
  /** The bytes as received: signatures are over these, never over a re-encoded body. */
  readonly rawBody: Uint8Array;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What follows `/providers/{provider}/notifications`: BACEN appends `/pix`. */
  readonly pathSuffix: string;
  readonly remoteIp: string;
  /** Set when the TLS layer in front has verified a client certificate. */
  readonly tlsPeer?: { readonly subject: string; readonly fingerprint256: string };
  /**
   * Set by readers of a stored notification whose proof, a secret of the registered address or the certificate of the
   * connection, the listener has verified and not kept. Where notifications are signed it makes no difference.
   */
  readonly isProven?: boolean;
  /** When the listener took it; stands for the time of an event whose provider states none, never the time of handling. */
  readonly receivedAt: Date;
}

/** Where a provider sends its notifications. @param publicUrl the gateway as providers reach it */
export function notificationsUrl(providerId: string, publicUrl: string | URL): URL {
  return new URL(`/providers/${providerId}/notifications`, publicUrl);
}

export type NotificationResult =
  | { readonly ok: false; readonly reason: string }
  | { readonly ok: true; readonly grade: 'ours'; readonly events: readonly Graded<'ours', ProviderEvent>[] }
  | {
      readonly ok: true;
      readonly grade: 'hint' | 'platform';
      readonly events: readonly Graded<'hint', ProviderEvent>[];
    };

interface ProviderEventFacts {
  /** The same for every delivery of one event; unique per provider. */
  readonly dedupeKey: string;
  /** When it happened, by the provider's clock. */
  readonly at: Date;
  /** The provider's message as it came, for the record. */
  readonly raw: unknown;
}

/** Which refund is meant: by our reference, or by no more than its payment or that payment's charge. */
interface NamedRefund {
  readonly ref?: string;
  /** End-to-end id of the payment that goes back. */
  readonly e2eId?: string;
  readonly chargeRef?: string;
}

export type ProviderEventBody =
  | ({
      readonly type: 'charge.paid';
      readonly ref: string;
      readonly money: RailMoney;
      readonly payer?: PayerDetails;
    } & ReceiptName)
  | { readonly type: 'charge.expired' | 'charge.canceled'; readonly ref: string }
  | { readonly type: 'payout.paid'; readonly ref: string; readonly e2eId: string }
  | { readonly type: 'payout.failed'; readonly ref: string; readonly code: FailureCode; readonly message: string }
  | {
      readonly type: 'payout.returned';
      /** Left out where the provider names the payout by `e2eId` alone. */
      readonly ref?: string;
      /** The payout's own end-to-end id. One of the two is always there. */
      readonly e2eId?: string;
      readonly money: RailMoney;
      readonly returnId: string;
      readonly reason?: string;
    }
  | ({ readonly type: 'refund.done'; readonly returnId: string } & NamedRefund)
  | ({ readonly type: 'refund.failed'; readonly code: FailureCode; readonly message: string } & NamedRefund)
  | {
      readonly type: 'dispute.opened' | 'dispute.review' | 'dispute.won' | 'dispute.lost';
      readonly disputeRef: string;
      /** What the provider itself calls the dispute, where that differs; to be handed back with evidence. */
      readonly providerRef?: string;
      /** The payment in dispute. */
      readonly e2eId: string;
      /** `dispute.lost`: what goes back; otherwise what is contested. Left out: the payment's whole amount. */
      readonly money?: RailMoney;
      readonly reason?: 'FRAUD' | 'OPERATIONAL_FLAW';
      readonly dueAt?: Date;
      /** When it was opened, where the provider states it beside the time of the event. */
      readonly openedAt?: Date;
      readonly returnId?: string;
      /** `dispute.lost`: the returns that `money` is the sum of, where the provider names each. */
      readonly returns?: readonly { readonly id: string; readonly amount: number }[];
    }
  /** A provider that tests the address. */
  | { readonly type: 'probe' }
  /** Understood, and of no consequence here. */
  | { readonly type: 'ignored'; readonly reason: string }
  /** It should be of consequence, and does not fit what the provider describes: to be set aside for operators. */
  | { readonly type: 'unreadable'; readonly reason: string };

/** One thing that happened at a provider; a notification may report several, and each stands alone. */
export type ProviderEvent = ProviderEventFacts & ProviderEventBody;
