/** Numbers that look random and are the same for the same seed (mulberry32). */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // Neighbouring seeds begin alike; a few steps part them.
    for (let step = 0; step < 8; step++) this.#next();
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.#next() * (max - min + 1));
  }

  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('there is nothing to choose from');
    return choices[this.integer(0, choices.length - 1)]!;
  }

  /** True once in `times` on average. */
  oneIn(times: number): boolean {
    return this.integer(1, times) === 1;
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
