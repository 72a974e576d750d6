/** Two of these missed, and the reader looks where its consumer is now. */
const idleHeartbeatMs = 1_000;
/** How long one request for messages stands; also how long the client library waits between two looks. */
const pullExpiresMs = 2_000;

/**
 * How streams are read. A node of a cluster that dies takes the requests it was asked with it, and where the process is
 * connected to another one, nothing but the silence tells: with the library's own 30 s that takes half a minute.
 */
export const pulls = { expires: pullExpiresMs, idle_heartbeat: idleHeartbeatMs } as const;
