import { hash } from 'node:crypto';

const credentialsMax = 20_000;

/**
 * Digests of credentials that were accepted lately by the service that checks them. They open nothing: a caller who has
 * one of them is asked for it as ever, and not taken for a stranger when its address has been refused too often.
 */
export class AcceptedCredentials {
  readonly #digests = new Set<string>();

  has(credential: string | Buffer): boolean {
    return this.#digests.has(digestOf(credential));
  }

  add(credential: string | Buffer): void {
    const digest = digestOf(credential);
    this.#digests.delete(digest);
    this.#digests.add(digest);
    const [oldest] = this.#digests;
    if (this.#digests.size > credentialsMax && oldest !== undefined) this.#digests.delete(oldest);
  }

  delete(credential: string | Buffer): void {
    this.#digests.delete(digestOf(credential));
  }
}

function digestOf(credential: string | Buffer): string {
  return hash('sha256', credential, 'base64url');
}
