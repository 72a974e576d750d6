import type { Environment } from '@gateway/contracts/values';
import type { DeliveryError, WebhookEvent } from '@gateway/contracts/webhooks';
import type { TraceCarrier } from '@gateway/runtime';
import type { Attempt } from '#src/http/attempt.ts';

/** `delivery.state`. The rows stay for good and are many, so that the column has two bytes. */
export const deliveryState = { waiting: 0, leased: 1, delivered: 2, failed: 3 } as const;
export type DeliveryState = keyof typeof deliveryState;

/** How long a lease lasts, far beyond the longest call: its holder has died when it ends by itself. */
export const leaseMs = 30_000;

/** Where a delivery goes and which secrets sign it. */
export interface DeliveryTarget {
  /** Null when the endpoint has been removed. */
  readonly url: string | null;
  readonly sealedSecret: string | null;
  /** The context the secrets are sealed for. */
  readonly secretOwner: string | null;
  /** The secret that takes over when the overlap of a rotation ends; both sign until then. */
  readonly nextSealedSecret: string | null;
  /** The endpoint's own headers. */
  readonly sealedHeaders: string | null;
}

/** The event of a delivery, as it is stored. */
export interface EventRecord {
  readonly id: string;
  readonly name: WebhookEvent;
  readonly environment: Environment;
  readonly accountId: string;
  /** The record the event is about. */
  readonly dataId: string;
}

/** A delivery to be added to the queue of its endpoint, unless the endpoint has been given the event before. */
export interface NewDelivery {
  readonly endpointId: string;
  readonly event: EventRecord;
  /** Names one of the event's bodies. */
  readonly format: string;
  /** As it is stored. */
  readonly body: Buffer;
  /** Of deliveries to a callback URL; all others go to the URL of their endpoint. */
  readonly url: string | null;
  readonly target: DeliveryTarget;
  /** The delivery continues this trace. */
  readonly trace: TraceCarrier;
}

/**
 * One delivery on its way, from the lease to the recorded outcome: leased to this process, with everything that is
 * needed to call the receiver.
 */
export interface DeliveryJob extends DeliveryTarget {
  readonly id: string;
  readonly endpointId: string;
  /** Names this lease. An outcome is recorded only while the row still names it. */
  readonly leaseToken: string;
  /** Environment and account of the endpoint. */
  readonly accountKey: string;
  readonly eventId: string;
  readonly event: string;
  /** Names one of the event's bodies. */
  readonly format: string;
  /** Attempts made before. */
  readonly attempts: number;
  /** Of these, the attempts since the delivery was created or last sent again by hand. */
  readonly cycleAttempts: number;
  /** Calls its endpoint may have at once. */
  readonly concurrency: number;
  /** The breaker of its endpoint is open: this delivery finds out whether the receiver is back. */
  readonly probe: boolean;
  /** Milliseconds until it expires; not more than zero when it has. */
  readonly remainingMs: number;
  /** Milliseconds it has been due. */
  readonly lagMs: number;
  /** As it is stored. Null when the event is older than bodies are kept. */
  readonly body: Buffer | null;
  readonly trace: TraceCarrier | null;
}

/** Why a leased delivery was not sent. One that is given back is due as before; the others have failed. */
export type SkipReason = Extract<DeliveryError, 'expired' | 'endpoint_deleted' | 'body_expired'> | 'given_back';

/** What came of a job: a call of the receiver, or a reason why there was none. */
export type JobOutcome =
  | { readonly kind: 'attempted'; readonly attempt: Attempt; readonly elapsedMs: number }
  | { readonly kind: 'skipped'; readonly reason: SkipReason };

export interface FinishedJob {
  readonly job: DeliveryJob;
  readonly outcome: JobOutcome;
}

/**
 * Leases of one endpoint in this process, waiting for their call or being called, and how many there may be while no
 * other process holds any. A receiver that answers quickly may have more leased than are called at once.
 */
export interface LeaseLimits {
  readonly held: number;
  readonly max: number;
}

export const noLeases: LeaseLimits = { held: 0, max: 0 };

export type LeaseLimitsOf = (endpointId: string) => LeaseLimits;
