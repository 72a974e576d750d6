/** Stopping order: the highest tier ends first, one tier after the other. */
export const edgeTier = 4;
export const workTier = 3;
export const coreTier = 2;
export const brokerTier = 1;
export const databaseTier = 0;
