import { GatewayError, type Environment, type FetchLike } from '@gateway/sdk';

/** What the tools change with test keys; nothing of payouts, refunds, keys or allowlists is among it. */
const testChanges: readonly RegExp[] = [
  /^\/v1\/deposits$/,
  /^\/v1\/deposits\/[^/]+\/cancel$/,
  /^\/v1\/test\/deposits\/[^/]+\/(?:pay|expire|dispute)$/,
  /^\/v1\/test\/disputes\/[^/]+\/resolve$/,
  /^\/v1\/deliveries\/[^/]+\/redeliver$/,
];

/**
 * Whether a call may leave this process: with a live key only what reads, with a test key besides it the changes that the
 * tools are for. It holds whatever a tool does, since every call of the client passes here.
 */
export function isPermitted(environment: Environment, method: string, path: string): boolean {
  if (method === 'GET') return true;
  if (environment !== 'test') return false;
  return method === 'POST' && testChanges.some((permitted) => permitted.test(path));
}

/**
 * A `fetch` that sends what is permitted and nothing else.
 *
 * @throws GatewayError before anything is sent
 */
export function guardedFetch(environment: Environment, baseUrl: string, inner: FetchLike): FetchLike {
  const prefix = new URL(baseUrl).pathname.replace(/\/+$/, '');
  return async (address, init) => {
    const path = new URL(address).pathname.slice(prefix.length);
    const { method } = init;
    if (!isPermitted(environment, method, path))
      throw new GatewayError(`${method} ${path} is not sent with a ${environment} key: this server only reads there`);
    return inner(address, init);
  };
}
