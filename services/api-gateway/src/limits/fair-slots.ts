import { DomainError } from '@gateway/contracts/errors';

/** How far above the limit those may go who have less than their share. */
const beyondShare = 1 / 4;

/**
 * Counts what is under way, by whom. Beyond the limit the holder with the most is refused: one with less than its equal
 * share still gets in, within a quarter more than the limit, until requests of the others have ended; also while these
 * are more than that because the limit has fallen. Nothing that has begun is ended for it.
 */
export class FairSlots {
  readonly #limit: () => number;
  readonly #held = new Map<string, number>();
  #underWay = 0;
  /** Those of them that are under way because their holder had less than its share. */
  #beyond = 0;

  constructor(limit: () => number) {
    this.#limit = limit;
  }

  get underWay(): number {
    return this.#underWay;
  }

  admits(holder: string): boolean {
    const limit = this.#limit();
    if (this.#underWay < limit) return true;
    if (this.#underWay >= limit * (1 + beyondShare) && this.#beyond >= limit * beyondShare) return false;
    const held = this.#held.get(holder) ?? 0;
    const holders = this.#held.size + (held === 0 ? 1 : 0);
    return held < Math.max(1, Math.floor(limit / holders));
  }

  /** @returns what gives the slot back, once. @throws DomainError SERVICE_UNAVAILABLE */
  take(holder: string): () => void {
    if (!this.admits(holder)) throw tooManyUnderWay();
    const beyond = this.#underWay < this.#limit() ? 0 : 1;
    this.#underWay += 1;
    this.#beyond += beyond;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + 1);
    return () => {
      this.#beyond -= beyond;
      this.#giveBack(holder);
    };
  }

  #giveBack(holder: string): void {
    this.#underWay -= 1;
    const held = (this.#held.get(holder) ?? 0) - 1;
    if (held > 0) this.#held.set(holder, held);
    else this.#held.delete(holder);
  }
}

/** The refusal of a request that has done nothing. */
export function tooManyUnderWay(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'too many requests at once', { retryAfterSec: 1 });
}
