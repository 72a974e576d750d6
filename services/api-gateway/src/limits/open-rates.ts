import type { RateLimit } from '@gateway/contracts/accounts';

/**
 * What one address may do at this gateway without a key that is known here: the only table of its kind, quoted in
 * docs/security.md. Many people can share an address, so each rate is well above what a busy office needs. Each process
 * of the gateway counts for itself: behind n of them an address has up to n times as much.
 */
export const openRates = {
  /**
   * Calls that were refused: unknown and wrong keys, connectors' credentials, providers' signatures, paths that do not
   * exist. Once it is spent the next one is refused before it is looked at.
   */
  refusals: { perSecond: 10, burst: 100 },
  /** QR pictures by the token of `pix.qr_url`, and the documents of evidence by theirs. */
  pictures: { perSecond: 20, burst: 100 },
  /** The hosted page and its status, which an open page asks for every few seconds. */
  paymentPages: { perSecond: 20, burst: 100 },
  /** The link by which a merchant fetches the secret of a live key: one, and once. */
  keyClaims: { perSecond: 1, burst: 20 },
  /** Tokens no operator has, at the operators' listener. */
  operatorTokens: { perSecond: 1, burst: 100 },
  /** `/openapi.json`, a quarter of a megabyte. */
  description: { perSecond: 2, burst: 10 },
  /** `/docs` with all it loads. */
  documentation: { perSecond: 10, burst: 60 },
  /** `/health`, asked by load balancers and monitors. */
  health: { perSecond: 20, burst: 100 },
} as const satisfies Record<string, RateLimit>;

export type OpenOperation = keyof typeof openRates;
