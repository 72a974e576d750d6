import type { Asked } from '#src/certainty.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import type { NotFound, NotSent, Refused, Unavailable, Unknown } from '#src/outcomes.ts';

/** What a provider reports of a dispute: that it was opened, is looked into, or was decided. */
export type DisputeFact = Extract<ProviderEvent, { disputeRef: string }>;

/** What the gateway knows of a dispute, or of a payment in dispute, that it asks about. */
export interface DisputeLookup {
  /** Of a dispute that is recorded or was hinted at. */
  readonly disputeRef?: string;
  /** What the provider itself calls it, if its event names it. */
  readonly providerRef?: string;
  /** The payment in dispute. */
  readonly e2eId: string;
  /** The payment's amount; stands for the dispute's where a provider reports none (minor units). */
  readonly paid: number;
  /** When it was opened, if recorded: some lists are searched by that day. */
  readonly openedAt?: Date;
}

/**
 * Every dispute of the payment as it stands now, one fact each; what was taken back over MED counts as lost. NOT_FOUND: the
 * provider knows of none.
 */
export type DisputeState =
  { readonly status: 'FOUND'; readonly disputes: readonly Asked<DisputeFact>[] } | NotFound | Unavailable;

/** What a merchant says against a dispute. */
export interface EvidenceInput {
  /** As in the dispute's events. */
  readonly disputeRef: string;
  /** What the provider itself calls the dispute, if its event names it (`providerRef`). */
  readonly providerRef?: string;
  /** The payment in dispute. */
  readonly e2eId: string;
  /** Derived from the gateway's own record; the same on every retry. */
  readonly ref: string;
  readonly text: string;
  /** Addresses from which the provider can fetch documents. */
  readonly documentUrls: readonly string[];
}

/**
 * `refused` means that the provider takes no (more) evidence for this dispute. Sending the same evidence twice is
 * harmless, so an `unknown` may be repeated.
 */
export type EvidenceOutcome = { readonly kind: 'accepted' } | Refused | NotSent | Unknown;
