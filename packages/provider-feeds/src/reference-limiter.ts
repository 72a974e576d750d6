const windowMs = 60_000;
const referencesMaxDefault = 10_000;

/**
 * How often a provider is asked about one reference because a notification names it, per process. Where notifications are
 * not signed, any sender who has seen a reference can send them; what is beyond the limit waits in the inbox, and the
 * provider's own lists are not limited by it.
 */
export class ReferenceLimiter {
  readonly #perMinute: number;
  readonly #now: () => Date;
  readonly #referencesMax: number;
  /** The oldest window first. */
  readonly #windows = new Map<string, { startedMs: number; questions: number }>();

  constructor(perMinute: number, now: () => Date, referencesMax = referencesMaxDefault) {
    this.#perMinute = perMinute;
    this.#now = now;
    this.#referencesMax = referencesMax;
  }

  /** Takes a question about the reference, if there is one left in its minute. */
  take(reference: string): boolean {
    const nowMs = this.#now().getTime();
    const window = this.#windows.get(reference);
    if (window && nowMs - window.startedMs < windowMs) {
      if (window.questions >= this.#perMinute) return false;
      window.questions += 1;
      return true;
    }
    this.#windows.delete(reference);
    this.#windows.set(reference, { startedMs: nowMs, questions: 1 });
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > this.#referencesMax && oldest !== undefined) this.#windows.delete(oldest);
    return true;
  }
}
