/** For what is fetched and unpacked once, beside all else that a slow machine does: a registry that is silent is given up. */
export const installTimeoutMs = 20 * 60_000;
/** For what waits until something is installed, perhaps by another process, and then starts what it needs. */
export const prepareTimeoutMs = 45 * 60_000;
