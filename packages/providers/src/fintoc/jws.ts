import { createPrivateKey, randomBytes, sign, type KeyObject } from 'node:crypto';

const nonceBytes = 16;

/** Signs the bodies of calls that move money, with a key whose public half Fintoc has. */
export class JwsSigner {
  readonly #key: KeyObject;

  /** @throws Error when the key is no private key in PEM */
  constructor(privateKeyPem: string) {
    this.#key = createPrivateKey(privateKeyPem);
  }

  /**
   * The value of `Fintoc-JWS-Signature`: a JWS (RFC 7515) by RS256 over the body, shown without the body (header and
   * signature, joined by one point). Time and nonce are in the protected header and marked as critical, so that a
   * signature is good for one call. docs.fintoc.com, "Generate JWS keys", read on 22 November 2026.
   */
  headerFor(body: string, now: Date): string {
    const protectedHeader = {
      alg: 'RS256',
      nonce: randomBytes(nonceBytes).toString('hex'),
      ts: Math.floor(now.getTime() / 1_000),
      crit: ['ts', 'nonce'],
    };
    const header = base64url(JSON.stringify(protectedHeader));
    const signature = sign('sha256', Buffer.from(`${header}.${base64url(body)}`), this.#key);
    return `${header}.${signature.toString('base64url')}`;
  }
}

function base64url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}
