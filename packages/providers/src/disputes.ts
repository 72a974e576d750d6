import type { NotSent, Refused, Unknown } from '#src/outcomes.ts';

/** What a merchant says against a dispute. */
export interface EvidenceInput {
  /** As in the dispute's events. */
  readonly disputeRef: string;
  /** What the provider itself calls the dispute, if its event told (`providerRef`). */
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
