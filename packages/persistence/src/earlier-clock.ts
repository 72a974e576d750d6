import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '#src/database.ts';

/** The two clocks of one machine differ by less; what an answer of PostgreSQL took counts as a difference too. */
const toleranceMs = 1_000;
/** Whatever PostgreSQL's clock has become since, it is asked again after this. */
const askedForMs = 60_000;
/** Between two questions while the process is ahead. */
const askAgainMs = 1_000;

/** The clocks of this process; a test has its own. */
export interface ProcessClocks {
  /** Of the day, in Unix milliseconds: it may be wrong, and may jump. */
  readonly dayMs: () => number;
  /** Goes forward only, from whatever beginning. */
  readonly monotonicMs: () => number;
}

const ofProcess: ProcessClocks = { dayMs: () => Date.now(), monotonicMs: () => performance.now() };

/**
 * The time by two clocks, the earlier of them: that of the process, and PostgreSQL's, which goes on by the monotonic clock
 * from one question to the next. Nothing has ended because one clock is ahead: a window of a provider's list whose end
 * is still to come, a charge, a deadline. A clock that is behind makes what is due late, and loses nothing.
 *
 * @returns `now`, once PostgreSQL has answered for the first time
 */
export async function earlierClock(database: Database, clocks: ProcessClocks = ofProcess): Promise<() => Date> {
  const clock = new EarlierClock(database, clocks);
  await clock.ask();
  return () => clock.now();
}

class EarlierClock {
  readonly #database: Database;
  readonly #clocks: ProcessClocks;
  /** PostgreSQL's time less the monotonic clock's, at most: from before the question. */
  #offsetMs = 0;
  #askedAtMs = 0;
  #asking: Promise<void> | undefined;

  constructor(database: Database, clocks: ProcessClocks) {
    this.#database = database;
    this.#clocks = clocks;
  }

  now(): Date {
    const dayMs = this.#clocks.dayMs();
    const monotonicMs = this.#clocks.monotonicMs();
    const databaseMs = monotonicMs + this.#offsetMs;
    const isAhead = dayMs > databaseMs + toleranceMs;
    if (isAhead || monotonicMs > this.#askedAtMs + askedForMs) this.#askSoon();
    return new Date(isAhead ? databaseMs : dayMs);
  }

  async ask(): Promise<void> {
    const askedAtMs = this.#clocks.monotonicMs();
    const [row] = await this.#database.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
      [],
      'time',
    );
    if (!row) return;
    this.#offsetMs = row.ms - askedAtMs;
    this.#askedAtMs = askedAtMs;
  }

  /** A machine that was asleep has both clocks ahead of the monotonic one: the next call has the answer. */
  #askSoon(): void {
    this.#asking ??= this.#askAndRest().finally(() => (this.#asking = undefined));
  }

  /** A database that does not answer is noticed by everything else; until it does, its clock is thought to go on. */
  async #askAndRest(): Promise<void> {
    await this.ask().catch(() => undefined);
    await delay(askAgainMs, undefined, { ref: false });
  }
}
