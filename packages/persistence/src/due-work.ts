import { startLoop, type Logger, type Loop, type LoopOptions } from '@gateway/runtime';
import type { Database } from '#src/database.ts';

/** How late work is begun that is due, that this process has written and not announced. */
const lookIntervalMs = 1_000;
/**
 * How late at most what another process has written, while this one writes nothing and has found nothing due. What is due
 * at its moment or later is not late by it: leases and expiries are longer, so that a look in between finds them.
 */
const restIntervalMs = 5_000;
/** Two looks on each other's heels would find the same; a burst of announcements shares one. */
const looksApartMs = 100;
/** Should what a worker looks for and the moment it is woken at ever differ, its work is late by this. */
const unwokenIntervalMs = 60_000;

/** Work that a table has, each piece from a certain moment on. */
export interface DueKind {
  readonly name: string;
  /**
   * The moment of the first piece, as an SQL expression that reads one entry of an index: `(select min(due_at) from
   * payout where due_at is not null)`. Null while there is none.
   */
  readonly firstDue: string;
  /** Begins what is due. */
  readonly wake: () => void;
}

/**
 * A worker that has nothing to do until something in a table is due. It is woken then, and begins a round from time to
 * time all the same.
 */
export type DueWorker = Omit<LoopOptions, 'intervalMs' | 'logger'> & Pick<DueKind, 'firstDue'>;

export interface DueWorkOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly now?: () => Date;
}

/**
 * Looks for a service's due work of every kind with one statement, and wakes those that have some: once a second while
 * this process writes or something is due, else every five seconds. What becomes due before the next look is looked for
 * at its moment.
 */
export class DueWork implements AsyncDisposable {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #now: () => Date;
  readonly #loop: Loop;
  #kinds: readonly DueKind[] = [];
  /** A prepared statement keeps its text: each set of kinds has a name of its own. */
  #version = 0;
  readonly #writes: Disposable;
  #lookedAtMs = -Infinity;
  #writtenAtMs = -Infinity;
  /** When the next look comes at the latest. */
  #nextAtMs = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Infinity;

  constructor({ database, logger, now = () => new Date() }: DueWorkOptions) {
    this.#database = database;
    this.#logger = logger;
    this.#now = now;
    this.#loop = startLoop({ name: 'due work', intervalMs: lookIntervalMs, logger, work: () => this.#look() });
    this.#writes = database.onWrite(() => this.#afterWrite());
  }

  /** Looks for one more kind from now on. */
  add(kind: DueKind): void {
    this.#kinds = [...this.#kinds, kind];
    this.#version += 1;
    this.#loop.wake();
  }

  /** Starts a worker, to be disposed of by the caller. */
  start({ firstDue, ...worker }: DueWorker): Loop {
    const loop = startLoop({ ...worker, intervalMs: unwokenIntervalMs, logger: this.#logger });
    this.add({ name: worker.name, firstDue, wake: () => loop.wake() });
    return loop;
  }

  /** To be called when work was written that is due at that moment: it is begun then, not at the next look. */
  announce(dueAt: Date): void {
    this.#lookIn(dueAt.getTime() - this.#now().getTime());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#writes[Symbol.dispose]();
    clearTimeout(this.#timer);
    this.#timerAtMs = -Infinity;
    await this.#loop[Symbol.asyncDispose]();
  }

  /** Answers how long there is nothing to look for. */
  async #look(): Promise<number> {
    const kinds = this.#kinds;
    if (kinds.length === 0) return lookIntervalMs;
    this.#lookedAtMs = performance.now();
    const moments = kinds.map(({ firstDue }, index) => `${firstDue} as "${index}"`).join(', ');
    const name = `due-work-${this.#version}`;
    const [row] = await this.#database.query<Record<number, Date | null>>(`select ${moments}`, [], name);
    const nowMs = this.#now().getTime();
    const dueAtMs = kinds.map((_, index) => row?.[index]?.getTime() ?? Infinity);
    // What was written shortly before may not have been committed when the statement read.
    const isAtRest = this.#writtenAtMs < this.#lookedAtMs - lookIntervalMs && !dueAtMs.some((atMs) => atMs <= nowMs);
    const waitMs = isAtRest ? restIntervalMs : lookIntervalMs;
    this.#nextAtMs = performance.now() + waitMs;
    for (const [index, { wake }] of kinds.entries()) {
      const atMs = dueAtMs[index] ?? Infinity;
      if (atMs <= nowMs) wake();
      else this.#lookIn(atMs - nowMs);
    }
    return waitMs;
  }

  /** Whatever it was, it may be due, or change what is due first. */
  #afterWrite(): void {
    this.#writtenAtMs = performance.now();
    this.#lookIn(lookIntervalMs);
  }

  /** Later moments, and none, are for the looks that come anyway. */
  #lookIn(ms: number): void {
    const atMs = Math.max(performance.now() + ms, this.#lookedAtMs + looksApartMs);
    if (!(atMs < this.#nextAtMs) || atMs >= this.#timerAtMs) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    this.#timer = setTimeout(
      () => {
        this.#timerAtMs = Infinity;
        this.#loop.wake();
      },
      Math.max(atMs - performance.now(), 0),
    );
  }
}
