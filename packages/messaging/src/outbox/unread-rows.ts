import { JetStreamApiError } from '@nats-io/jetstream';
import { streams, type StreamContract } from '@gateway/contracts/broker';
import type { Bus } from '#src/bus/bus.ts';

/** The position at which JetStream has stored a message. */
export interface StreamPosition {
  readonly stream: string;
  readonly sequence: number;
}

/** A message that is stored, which the rows of all its events share. */
interface UnreadMessage extends StreamPosition {
  /** The end of its rows' lease; 0 while they have none. */
  leasedUntilMs: number;
  readonly storedAtMs: number;
}

/** More rows are not kept for slow readers: from there on a message is done when it is stored. */
const unreadRowsMax = 100_000;
/** Readers acknowledge sooner as a rule, and the row needs no lease. */
const leasedAfterMs = 3_000;
/** Longer than any reader is away in ordinary times. The row of a process that died is unclaimed from then on. */
export const rowLeaseMs = 600_000;

const notFound = 404;
const contracts: readonly StreamContract[] = Object.values(streams);

/**
 * Rows whose messages JetStream has stored and a reader has not acknowledged. JetStream can lose what it has stored, so a
 * row stays in the table until its message was read, and is published again when the broker comes back without it.
 */
export class UnreadRows {
  readonly #bus: Bus;
  readonly #rows = new Map<string, UnreadMessage>();
  /** Readers the broker has had: one that is missing now was lost with its position, and reads everything again. */
  readonly #seen = new Set<string>();
  #age = 0;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  get size(): number {
    return this.#rows.size;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  /** Keeps the rows of one message. Answers false for a stream without readers, whose messages are done when they are stored. */
  keep(ids: readonly string[], { stream, sequence }: StreamPosition): boolean {
    if (readersOf(stream).length === 0 || this.#rows.size >= unreadRowsMax) return false;
    const message = { stream, sequence, storedAtMs: performance.now(), leasedUntilMs: 0 };
    for (const id of ids) this.#rows.set(id, message);
    return true;
  }

  /** Positions are not valid after a reconnection: the broker may be another one, or the same with older data. */
  forget(): void {
    this.#age++;
    this.#rows.clear();
  }

  /** Removes and answers the rows that all their readers have acknowledged by now. */
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

  /** Rows that need a lease, or a longer one, so that no other relay publishes them; they count as leased from then on. */
  takeUnleased(): string[] {
    const now = performance.now();
    const unleased = [...this.#rows].filter(
      ([, row]) => row.leasedUntilMs - now < rowLeaseMs / 2 && now - row.storedAtMs >= leasedAfterMs,
    );
    for (const [, row] of unleased) row.leasedUntilMs = now + rowLeaseMs;
    return unleased.map(([id]) => id);
  }

  /** The sequence up to which every reader has acknowledged everything. */
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
