import { DomainError } from '@gateway/contracts/errors';

/** When to ask again: a stream whose reader is gone without a word is given up within a minute or so. */
const retryAfterSec = 15;

/** Who holds a stream, and how many they may hold. */
export interface PlaceLimit {
  readonly holder: string;
  readonly max: number;
  /** As a refusal names the holder: `key`. */
  readonly name: string;
}

/** Counts the streams that are open at this gateway. Behind n of them a holder has up to n times as many. */
export class Places {
  readonly #held = new Map<string, number>();

  /** @returns what gives the place back, once. @throws DomainError RATE_LIMITED */
  take(limits: readonly PlaceLimit[]): () => void {
    for (const { holder, max, name } of limits) {
      if ((this.#held.get(holder) ?? 0) < max) continue;
      throw new DomainError('RATE_LIMITED', `the ${name} has ${max} streams open, and no more`, { retryAfterSec });
    }
    for (const { holder } of limits) this.#count(holder, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const { holder } of limits) this.#count(holder, -1);
    };
  }

  #count(holder: string, change: 1 | -1): void {
    const held = (this.#held.get(holder) ?? 0) + change;
    if (held > 0) this.#held.set(holder, held);
    else this.#held.delete(holder);
  }
}
