import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { equalDigests } from '#src/secrets/equal-digests.ts';

const keyBytes = 32;
const macBytes = 32;

/** Whose record a link shows, and until when. */
export interface LinkGrant {
  readonly environment: string;
  readonly accountId: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/**
 * Tokens for links that work without credentials: `<environment>.<account>.<expiry>.<base64url HMAC-SHA256>`. The signature
 * also covers the resource, so that a token opens one thing only; its key is derived from the secrets key (HKDF), so that
 * a token says nothing about what else is sealed under it.
 */
export class LinkTokens {
  readonly #keys: readonly KeyObject[];
  readonly #signingKey: KeyObject;

  /** The first key signs; all of them verify. */
  constructor(secretsKeys: readonly Buffer[]) {
    this.#keys = secretsKeys.map((key) =>
      createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'link tokens', keyBytes))),
    );
    const [first] = this.#keys;
    if (!first) throw new Error('link tokens need a key');
    this.#signingKey = first;
  }

  issue(resource: string, grant: LinkGrant): string {
    const claim = `${grant.environment}.${grant.accountId}.${grant.expiresAt}`;
    return `${claim}.${macOf(this.#signingKey, resource, claim).toString('base64url')}`;
  }

  /** What a token of this resource grants; null when it is forged, for something else, or its time is up. */
  verify(token: string, resource: string, now: Date): LinkGrant | null {
    const [environment = '', accountId = '', expiry = '', encoded = '', ...rest] = token.split('.');
    if (rest.length > 0 || !/^\d{1,12}$/.test(expiry)) return null;
    const given = Buffer.from(encoded, 'base64url');
    if (given.length !== macBytes || given.toString('base64url') !== encoded) return null;
    const claim = `${environment}.${accountId}.${expiry}`;
    const isOurs = this.#keys.some((key) => equalDigests(given, macOf(key, resource, claim)));
    const expiresAt = Number(expiry);
    return isOurs && now.getTime() < expiresAt * 1_000 ? { environment, accountId, expiresAt } : null;
  }
}

/** The key is prepared once: preparing it again for every token takes longer than the token. */
function macOf(key: KeyObject, resource: string, claim: string): Buffer {
  return createHmac('sha256', key).update(`${resource}\n${claim}`).digest();
}
