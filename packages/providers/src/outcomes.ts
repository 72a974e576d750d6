import type { FailureCode } from '#src/failure-codes.ts';

/*
 * Every call that changes something at a provider ends in one of four ways, and the difference is money:
 * accepted, refused and not_sent are certain; unknown may have been executed and is never answered with a refund.
 */

/** The provider took the call and refused it. Certain: it will not happen. */
export interface Refused {
  readonly kind: 'refused';
  readonly code: FailureCode;
  readonly message: string;
  /** The provider's answer as it came, for the record; holds nothing secret. */
  readonly raw: unknown;
}

export type NotSentReason =
  /** DNS, connection or TLS failure, or no token from the provider's OAuth server. */
  | 'unreachable'
  /** 429 before processing. */
  | 'throttled'
  /** 401 or 403: the provider does not know us (any more); an operator has to act. */
  | 'unauthorized'
  /** Too many recent failures; the adapter did not try. */
  | 'circuit_open'
  /** The call's deadline had passed, or it was aborted, before anything was written. */
  | 'aborted'
  /** The adapter's capabilities do not cover this call; another provider may. */
  | 'unsupported';

/** Nothing left the gateway, or the provider provably did not process it. Certain: retry with the same reference, or fail over. */
export interface NotSent {
  readonly kind: 'not_sent';
  readonly reason: NotSentReason;
  readonly cause: string;
  readonly retryAfterMs?: number;
}

/** The request was written and no usable answer came. It may have been executed: only a lookup can answer that. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly cause: string;
  readonly providerRef?: string;
  /** Set when the answer was about another amount, currency or reference: a case for operators. */
  readonly differs?: Omit<Differs, 'status'>;
  /** When the provider is expected to know, if it is more exact than the usual schedule of lookups. */
  readonly lookUpAfterMs?: number;
}

/** A lookup found nothing under the reference. After an unknown outcome that alone proves nothing (`consistentLookup`). */
export interface NotFound {
  readonly status: 'NOT_FOUND';
}

/**
 * The provider answered for our reference with another amount, currency or reference than the record's. Nothing is booked
 * by it: it is as open as an unknown outcome, and a case for operators.
 */
export interface Differs {
  readonly status: 'DIFFERS';
  readonly field: 'amount' | 'currency' | 'reference';
  /** What the provider reported instead. */
  readonly reported: string;
}

/** The lookup itself failed; nothing is known, ask again. */
export interface Unavailable {
  readonly status: 'UNAVAILABLE';
  readonly cause: string;
}

export interface CallOptions {
  /** Ends the call. Before anything was written the outcome is `not_sent`, afterwards `unknown`; a lookup is `UNAVAILABLE`. */
  readonly signal?: AbortSignal;
  /**
   * Awaited before each request of the call is written, never by an adapter that sends nothing: the caller puts on record
   * what the provider may be asked. False ends the call as `not_sent`; an error of it is the caller's own and is thrown.
   */
  readonly beforeSending?: () => Promise<boolean>;
  /** Called for each request that is made: one question may take several, as of a list and what its items name. */
  readonly onRequest?: () => void;
  /** Of a list: which of its items are known with all that can be asked about them, by the names that they are read with. */
  readonly known?: (names: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** What names one payment. */
export interface ReceiptName {
  /** The rail's id of the payment; opaque, at most 64 characters. */
  readonly e2eId: string;
  /** What the provider itself calls the payment, where the rail's id may repeat: this then names it alone. */
  readonly transferId?: string;
}
