/**
 * What of a lane is leased to this process, waiting for its turn or being called, and how much that may come to where
 * nobody else holds any: a receiver that answers quickly may have more leased than are called at once.
 */
export interface Leases {
  readonly held: number;
  readonly most: number;
}

/** Tells them of each lane. */
export type LeasesOf = (endpointId: string) => Leases;

export const noLeases: Leases = { held: 0, most: 0 };
