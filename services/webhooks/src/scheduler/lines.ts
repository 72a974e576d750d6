import type { Claimed, Pool } from '#src/queue/claim.ts';
import { noLeases, type Leases } from '#src/queue/leases.ts';

/** After this time without an answer a receiver is called again beside the call that is under way. */
const patienceMs = 50;
/** Who waited longer goes back to the lane: leases end, and endpoints may be paused, moved or removed meanwhile. */
const waitMaxMs = 500;
/** A receiver may be given more, and one more per delivery, while its deliveries wait no longer than this. */
const waitGoodMs = 100;
/** Deliveries leased beyond the calls a lane may have at once: of one lane, and of all together. */
const aheadMax = 512;
const aheadOfAllMax = 4_096;

export interface LinesOptions {
  /** Calls the receiver; resolves with whether it took the delivery. Never rejects. */
  readonly call: (claimed: Claimed, pool: Pool) => Promise<boolean>;
  /** Whether a call may be made beside those under way. */
  readonly hasRoom: (pool: Pool) => boolean;
  /** These are not going to be called: they are due as before. */
  readonly giveBack: (waiting: readonly Claimed[]) => void;
}

interface Waiting {
  readonly claimed: Claimed;
  readonly pool: Pool;
  readonly sinceMs: number;
}

interface Line {
  readonly waiting: Waiting[];
  running: number;
  /** Calls it makes at once, up to the cap of its lane. */
  width: number;
  cap: number;
  held: number;
  ahead: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * The leased deliveries of each lane, in the order they are called. Calls take turns while the receiver answers quickly:
 * the next one finds the kept connection free, where all at once would each have to make their own. A receiver that takes
 * its time gets twice as many calls at once after each patience, up to the cap of its lane.
 *
 * A receiver that answers quickly may have more leased than are called at once, so that its backlog does not wait for a
 * claim and a record after every few calls. Those hold no slot, and go back when a call fails or they wait too long.
 */
export class Lines {
  readonly #options: LinesOptions;
  readonly #lines = new Map<string, Line>();
  #waiting = 0;
  #closed = false;

  constructor(options: LinesOptions) {
    this.#options = options;
  }

  leasesOf(endpointId: string): Leases {
    const line = this.#lines.get(endpointId);
    if (!line) return noLeases;
    const ahead = this.#waiting < aheadOfAllMax ? line.ahead : 0;
    return { held: line.held, most: line.cap + ahead };
  }

  /** One more leased delivery, at the end of its line; called at once when its turn has come. */
  add(claimed: Claimed, pool: Pool): void {
    const line = this.#lineOf(claimed.endpoint_id);
    line.held += 1;
    line.cap = claimed.cap;
    line.waiting.push({ claimed, pool, sinceMs: performance.now() });
    this.#waiting += 1;
    if (this.#closed) this.#giveBack(line);
    else this.#startNext(line);
    if (line.waiting.length > 0) line.timer ??= setTimeout(() => this.#widen(line), patienceMs);
  }

  /** The lease has come to its end. */
  ended(endpointId: string): void {
    const line = this.#lines.get(endpointId);
    if (!line) return;
    line.held -= 1;
    if (line.held <= 0) this.#lines.delete(endpointId);
  }

  /** How the lane is now; without calls that it may have, what waits goes back. */
  setCap(endpointId: string, cap: number): void {
    const line = this.#lines.get(endpointId);
    if (!line) return;
    line.cap = cap;
    line.width = Math.max(Math.min(line.width, cap), 1);
    if (cap === 0) this.#giveBack(line);
  }

  /** From now on nothing waits here. */
  close(): void {
    this.#closed = true;
    for (const line of this.#lines.values()) this.#giveBack(line);
  }

  #lineOf(endpointId: string): Line {
    const known = this.#lines.get(endpointId);
    if (known) return known;
    const line: Line = { waiting: [], running: 0, width: 1, cap: 1, held: 0, ahead: 0, timer: undefined };
    this.#lines.set(endpointId, line);
    return line;
  }

  #startNext(line: Line): void {
    if (line.running >= line.width) return;
    const next = line.waiting.shift();
    if (!next) return;
    this.#waiting -= 1;
    const waitedMs = performance.now() - next.sinceMs;
    line.ahead = waitedMs <= waitGoodMs ? Math.min(line.ahead + 1, aheadMax) : Math.max(line.ahead - 1, 0);
    line.running += 1;
    void this.#options.call(next.claimed, next.pool).then((delivered) => {
      line.running -= 1;
      if (!delivered) this.#giveBack(line);
      this.#startNext(line);
      if (line.running === 0) line.width = 1;
      if (line.waiting.length === 0) stop(line);
    });
  }

  /** Every patience, as long as something waits. */
  #widen(line: Line): void {
    line.timer = undefined;
    line.width = Math.max(Math.min(line.width * 2, line.cap), 1);
    for (let more = line.width - line.running; more > 0; more--) {
      const [next] = line.waiting;
      if (next && this.#options.hasRoom(next.pool)) this.#startNext(line);
    }
    const [oldest] = line.waiting;
    if (oldest && performance.now() - oldest.sinceMs > waitMaxMs) this.#giveBack(line);
    if (line.waiting.length > 0) line.timer = setTimeout(() => this.#widen(line), patienceMs);
  }

  #giveBack(line: Line): void {
    stop(line);
    line.ahead = 0;
    const waiting = line.waiting.splice(0);
    this.#waiting -= waiting.length;
    if (waiting.length > 0) this.#options.giveBack(waiting.map(({ claimed }) => claimed));
  }
}

function stop(line: Line): void {
  clearTimeout(line.timer);
  line.timer = undefined;
}
