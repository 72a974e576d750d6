import type { PaymentMethod, RailCurrency } from '@gateway/money';
import type { NotificationGrade } from '#src/certainty.ts';
import type { CancelChargeOutcome, ChargeInput, ChargeLookup, ChargeOutcome, ChargeState } from '#src/charges.ts';
import type { DisputeLookup, DisputeState, EvidenceInput, EvidenceOutcome } from '#src/disputes.ts';
import type { Feed } from '#src/feeds.ts';
import type { CircuitState } from '#src/http/circuit-breaker.ts';
import type { SeenExchange } from '#src/http/provider-client.ts';
import type { NotificationResult, ProviderNotification } from '#src/notifications.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type { PayoutInput, PayoutLookup, PayoutOutcome, PayoutReturns, PayoutState } from '#src/payouts.ts';
import type { StatementFeed, StatementScope } from '#src/statement.ts';
import type { RefundInput, RefundLookup, RefundOutcome, RefundState } from '#src/refunds.ts';

/** What a provider can do; asked before a call, so that a provider is never chosen for what it lacks. */
export interface ProviderCapabilities {
  readonly rails: readonly PaymentMethod[];
  readonly charge: boolean;
  readonly cancelCharge: boolean;
  readonly payout: boolean;
  /** The provider refuses a payout whose key does not belong to the recipient's document. */
  readonly ownerCheck: boolean;
  readonly refund: 'none' | 'full' | 'partial';
  readonly disputes: boolean;
  /** What a merchant's defence may consist of: a text, or documents at addresses the provider fetches them from. */
  readonly evidence: 'none' | 'text' | 'documents';
  readonly balance: boolean;
  /** What its list of the account's movements holds. */
  readonly statement: StatementScope;
  /**
   * Payers' money arrives there, so that a charge may have been paid without our knowing: it is asked about once more when
   * its time is up. False where payments are simulated here.
   */
  readonly receivesPayments: boolean;
  /** The best grade a notification can have, as the adapter is configured; one below it lacks a proof it should have. */
  readonly notificationGrade: NotificationGrade;
  /** What was accepted is found by the next lookup, so that NOT_FOUND, twice and some minutes apart, means never arrived. */
  readonly consistentLookup: boolean;
  readonly limits: {
    readonly minExpirySec?: number;
    /** Minor units. */
    readonly minAmount?: number;
    readonly chargeRefMaxCharacters: number;
    readonly payoutRefMaxCharacters: number;
  };
}

export interface ProviderBalance {
  readonly currency: RailCurrency;
  /** Minor units. */
  readonly available: number;
  /** Minor units. */
  readonly blocked: number;
}

export type ProviderBalanceResult =
  { readonly ok: true; readonly balances: readonly ProviderBalance[] } | { readonly ok: false; readonly cause: string };

/**
 * A bank or payment institution that moves the money.
 *
 * Every implementation promises: no method throws for anything the provider or the network does; `createCharge`,
 * `createPayout` and `refund` are idempotent by `ref`; `refused` and `not_sent` are certain, and whatever is not certain is
 * `unknown`; a final state never changes into another; nothing is remembered between calls that a restart would lose.
 */
export interface PaymentProvider {
  /** Name in configuration, metrics and `/providers/{id}/notifications`. */
  readonly id: string;
  readonly capabilities: ProviderCapabilities;
  /** When the certificate ends that we present to it; left out where none is presented, or it cannot be read. */
  readonly certificateEndsAt?: Date | undefined;

  createCharge(charge: ChargeInput, options?: CallOptions): Promise<ChargeOutcome>;
  getCharge(lookup: ChargeLookup, options?: CallOptions): Promise<ChargeState>;
  cancelCharge(lookup: ChargeLookup, options?: CallOptions): Promise<CancelChargeOutcome>;

  createPayout(payout: PayoutInput, options?: CallOptions): Promise<PayoutOutcome>;
  getPayout(lookup: PayoutLookup, options?: CallOptions): Promise<PayoutState>;

  refund(refund: RefundInput, options?: CallOptions): Promise<RefundOutcome>;
  getRefund(lookup: RefundLookup, options?: CallOptions): Promise<RefundState>;

  /** Verifies over the raw bytes first, and only then reads them. Never throws: the listener is open to everyone. */
  verifyAndParseNotification(notification: ProviderNotification): Promise<NotificationResult>;

  balance(options?: CallOptions): Promise<ProviderBalanceResult>;

  /** Sends a merchant's defence; left out where the provider takes none over its interface. */
  submitEvidence?(evidence: EvidenceInput, options?: CallOptions): Promise<EvidenceOutcome>;

  /** What came back of one payout, by its reference; left out where the rail sends nothing back. */
  getPayoutReturns?(lookup: PayoutLookup, options?: CallOptions): Promise<PayoutReturns>;

  /** The disputes of one payment, by its own id; left out where the provider has no such question. */
  getDisputes?(lookup: DisputeLookup, options?: CallOptions): Promise<DisputeState>;

  /** The provider's lists, each read on its own. */
  readonly feeds?: readonly Feed[];

  /** The account's movements; left out where the provider lists none. */
  readonly statement?: StatementFeed;

  /**
   * Registers where the provider sends notifications: the address of `/providers/{id}/notifications`, to which the adapter
   * adds its own secret. Harmless to repeat; left out where nothing is to be registered.
   */
  registerNotifications?(url: URL, options?: CallOptions): Promise<RegistrationResult>;

  /** Compares what is registered with what `registerNotifications` would register; changes nothing. */
  readRegistration?(url: URL, options?: CallOptions): Promise<RegistrationState>;
}

/** What is missing of the registration, in words; nothing where it is complete. */
export type RegistrationState =
  { readonly ok: true; readonly missing: readonly string[] } | { readonly ok: false; readonly cause: string };

export type RegistrationResult = { readonly ok: true } | { readonly ok: false; readonly cause: string };

/** An adapter that holds connections. */
export interface ConnectedProvider extends PaymentProvider, AsyncDisposable {
  /** Whether calls go through; for routing by health. */
  readonly circuit: CircuitState;
}

/** What an adapter on the wire is given besides its configuration. */
export interface ProviderEnvironment {
  readonly now: () => Date;
  /** Called for every answer that does not fit the protocol, with its shape and nothing of its content. */
  readonly onUnreadable?: (cause: string) => void;
  /** Called for every call that was made, with what it came to on the wire. */
  readonly onExchange?: (seen: SeenExchange) => void;
  /** Called with the scopes of each token (RFC 6749, 3.3), where the provider names them. */
  readonly onScopes?: (scopes: readonly string[]) => void;
}
