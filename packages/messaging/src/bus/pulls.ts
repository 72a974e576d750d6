/** Two of these missed, and the reader looks where its consumer is now: about as long as an election takes. */
const idleHeartbeatMs = 2_500;
/** How long one request for messages stands; also how long the client library waits between two looks. */
const pullExpiresMs = 5_000;

/**
 * How streams are read. A node of a cluster that dies loses the requests it was sent. A process that is connected to
 * another node notices this by the silence alone, which takes half a minute with the library's default of 30 s. Every
 * reader at rest costs its share of requests and heartbeats: at half the times they were a tenth of what the whole
 * product took of a processor with nothing to do.
 */
export const pulls = { expires: pullExpiresMs, idle_heartbeat: idleHeartbeatMs } as const;
