/**
 * Sessions that answer reads. Left to itself PostgreSQL plans a page of the statement anew over every month's partition
 * for each read, which costs several times the read itself. A plan that is kept must not be one for tables that were
 * still empty, hence no sequential scans.
 */
export const readSettings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' } as const;
