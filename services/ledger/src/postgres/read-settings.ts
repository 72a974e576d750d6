/**
 * Settings of sessions that answer reads. By default PostgreSQL plans a page of the statement over every month's
 * partition for each read, which costs several times the read itself. Sequential scans are off because the kept plan
 * may have been made when the tables were empty.
 */
export const readSettings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' } as const;
