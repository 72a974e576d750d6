/** Stopping order: the highest tier ends first, one tier after the other. */
export const EDGE_TIER = 4;
export const WORK_TIER = 3;
export const CORE_TIER = 2;
export const BROKER_TIER = 1;
export const DATABASE_TIER = 0;
