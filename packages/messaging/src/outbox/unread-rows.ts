import { JetStreamApiError } from '@nats-io/jetstream';
import { streams, type StreamContract } from '@gateway/contracts/broker';
import type { Bus } from '#src/bus/bus.ts';

/** Where JetStream has put a message. */
export interface Place {
  readonly stream: string;
  readonly sequence: number;
}

interface UnreadRow extends Place {
  /** When other processes will consider the row left behind; 0 for those that look at its age alone. */
  watchedUntilMs: number;
  readonly storedAtMs: number;
}

/** More are not kept back for slow readers: from there on the broker alone has them. */
const unreadRowsMax = 100_000;
/** Readers are this quick as a rule; rows they have not read by then are marked as watched over. */
const watchedAfterMs = 3_000;
/** Longer than any reader is away in ordinary times. A mark whose owner died ends then. */
export const watchedForMs = 600_000;

const notFound = 404;
const contracts: readonly StreamContract[] = Object.values(streams);

/**
 * Messages JetStream has and their readers do not. JetStream can lose what it has stored, so a message is done when it
 * was read: until then its row stays, to be published again when the broker comes back without it.
 */
export class UnreadRows {
  readonly #bus: Bus;
  readonly #rows = new Map<string, UnreadRow>();
  /** Readers that were there once: where one is missing now, the broker has lost it, and it will want everything. */
  readonly #seen = new Set<string>();
  #age = 0;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  /** False where no reader has to read it: then it is done. */
  keep(id: string, place: Place): boolean {
    if (readersOf(place.stream).length === 0 || this.#rows.size >= unreadRowsMax) return false;
    this.#rows.set(id, { ...place, storedAtMs: performance.now(), watchedUntilMs: 0 });
    return true;
  }

  /** Known positions are not valid any more: the broker may be another one, or one with old data. */
  forget(): void {
    this.#age++;
    this.#rows.clear();
  }

  /** Takes out the rows that all their readers have read by now. */
  async takeRead(): Promise<string[]> {
    const age = this.#age;
    const candidates = [...this.#rows];
    const floors = new Map<string, number>();
    for (const stream of new Set(candidates.map(([, row]) => row.stream))) {
      floors.set(stream, await this.#readUpTo(stream));
    }
    // The answers may be those of another broker than the rows were stored by.
    if (age !== this.#age || !this.#bus.connected) return [];
    const read = candidates.filter(([, row]) => row.sequence <= (floors.get(row.stream) ?? 0)).map(([id]) => id);
    for (const id of read) this.#rows.delete(id);
    return read;
  }

  /** Rows to be marked as watched, so that no other process considers them left behind; they count as marked. */
  takeUnmarked(): string[] {
    const now = performance.now();
    const unmarked = [...this.#rows].filter(
      ([, row]) => row.watchedUntilMs - now < watchedForMs / 2 && now - row.storedAtMs >= watchedAfterMs,
    );
    for (const [, row] of unmarked) row.watchedUntilMs = now + watchedForMs;
    return unmarked.map(([id]) => id);
  }

  /** Everything stored up to this sequence has been read by everybody. */
  async #readUpTo(stream: string): Promise<number> {
    let upTo = Infinity;
    for (const reader of readersOf(stream)) {
      const info = await this.#bus.manager.consumers.info(stream, reader).catch((error: unknown) => {
        if (error instanceof JetStreamApiError && error.status === notFound) return null;
        throw error;
      });
      if (info === null) {
        if (this.#seen.has(reader)) return 0;
        continue;
      }
      this.#seen.add(reader);
      upTo = Math.min(upTo, info.ack_floor.stream_seq);
    }
    return upTo;
  }
}

function readersOf(stream: string): readonly string[] {
  return contracts.find(({ name }) => name === stream)?.readers?.map(({ durable }) => durable) ?? [];
}
