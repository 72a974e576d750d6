import { isId } from '@gateway/money';
import type { LinkTokens } from '@gateway/runtime';

/** Where a live key's secret can be fetched, on the public port. */
export const claimPath = '/keys';

export interface KeyClaim {
  readonly publicKey: string;
  readonly accountId: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** The links by which merchants fetch the secrets of their live keys. A link is its signature: nothing of it is stored. */
export class ClaimLinks {
  readonly #tokens: LinkTokens;
  readonly #publicUrl: string;

  constructor(tokens: LinkTokens, publicUrl: string) {
    this.#tokens = tokens;
    this.#publicUrl = publicUrl.replace(/\/+$/, '');
  }

  urlOf({ publicKey, accountId, expiresAt }: KeyClaim): string {
    const token = this.#tokens.issue(resourceOf(publicKey), { environment: 'live', accountId, expiresAt });
    return `${this.#publicUrl}${claimPath}/${publicKey}/${token}`;
  }

  /** Null when the link is forged, of another key, or its time is up. */
  read(publicKey: string, token: string, now: Date): KeyClaim | null {
    const grant = this.#tokens.verify(token, resourceOf(publicKey), now);
    return grant && isId('account', grant.accountId) ? { publicKey, ...grant } : null;
  }
}

function resourceOf(publicKey: string): string {
  return `key-claim ${publicKey}`;
}
