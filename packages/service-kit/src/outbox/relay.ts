import type { Bus } from '#src/bus/bus.ts';
import type { Database } from '#src/database/database.ts';

import { outboxWake, type Committed, type OutboxRow } from '#src/outbox/outbox-wake.ts';
import { StoredPublisher, type Publishing } from '#src/outbox/stored-publisher.ts';
import { startLoop, type Loop } from '#src/run/loop.ts';
import type { Logger } from '#src/run/logger.ts';
import { gauge } from '#src/telemetry/metrics.ts';
import type { TraceCarrier } from '#src/telemetry/span.ts';

const batchMessagesMax = 200;
/** Committed rows that wait in memory; more are left to the table, which has them all. */
const waitingRowsMax = 5_000;
const pollIntervalMs = 1_000;
/** Stored rows that are still in the table: a busy service removes many with one statement, an idle one at its next look. */
const storedRowsMax = 500;
/** Younger rows are in the memory of whoever committed them. */
const leftBehindAfterMs = 5_000;
/** Bounds how long row locks are held while JetStream is asked to store a batch. */
const publishTimeoutMs = 3_000;

export interface OutboxRelayOptions {
  readonly database: Database;
  readonly bus: Bus;
  readonly logger: Logger;
}

/**
 * Publishes outbox rows until JetStream has stored them, then removes them. Rows committed by this process are published
 * from memory. What was left behind, by a crash or a broker that was away, is read from the table: at start, after a
 * failure, and by looking now and then. Those rows stay locked meanwhile, so several relays share the work. A message that
 * is published twice has the same message id.
 */
export function startOutboxRelay(options: OutboxRelayOptions): AsyncDisposable {
  const relay = new Relay(options);
  const oldest = watchOldestRow(options);
  return {
    [Symbol.asyncDispose]: async () => {
      await oldest[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
    },
  };
}

class Relay implements AsyncDisposable {
  readonly #database: Database;
  readonly #bus: Bus;
  readonly #publisher: StoredPublisher;
  readonly #waiting: OutboxRow[] = [];
  /** Ids of rows that JetStream has and the table has not lost yet. A crash before that publishes them once more. */
  readonly #stored: string[] = [];
  readonly #loop: Loop;
  readonly #onCommit = (committed: Committed) => this.#take(committed);
  /** The table may hold young rows nobody has in memory. */
  #lookAtAll = true;
  #lookedAtMs = 0;

  constructor({ database, bus, logger }: OutboxRelayOptions) {
    this.#database = database;
    this.#bus = bus;
    this.#publisher = new StoredPublisher(bus);
    this.#loop = startLoop({ name: 'outbox relay', intervalMs: pollIntervalMs, logger, work: () => this.#round() });
    outboxWake.on('committed', this.#onCommit);
    bus.onReconnect(() => this.#lookAgain());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    outboxWake.off('committed', this.#onCommit);
    await this.#loop[Symbol.asyncDispose]();
    // What cannot be removed now is published again by the next relay, under the same message ids.
    await this.#removeStored().catch(() => undefined);
    await this.#publisher[Symbol.asyncDispose]();
  }

  #take({ database, rows }: Committed): void {
    if (database === undefined) return this.#lookAgain();
    if (database !== this.#database) return;
    if (this.#bus.connected && this.#waiting.length < waitingRowsMax) this.#waiting.push(...rows);
    this.#loop.wake();
  }

  #lookAgain(): void {
    this.#lookAtAll = true;
    this.#loop.wake();
  }

  /** Answers true when more is waiting. */
  async #round(): Promise<boolean> {
    const batch = this.#waiting.splice(0, batchMessagesMax);
    if (batch.length > 0) await this.#publishCommitted(batch);
    const isDue = this.#lookAtAll || performance.now() - this.#lookedAtMs >= pollIntervalMs;
    if (isDue || batch.length === 0 || this.#stored.length >= storedRowsMax) await this.#removeStored();
    const isFull = isDue && (await this.#publishLeftBehind());
    return isFull || this.#waiting.length > 0;
  }

  async #publishCommitted(rows: readonly OutboxRow[]): Promise<void> {
    const messages = rows.map((row) => ({ ...row, trace: JSON.parse(row.trace) as TraceCarrier }));
    const { stored, failure } = await this.#publish(messages);
    this.#stored.push(...stored);
    if (!failure) return;
    this.#lookAtAll = true;
    throw failure;
  }

  async #removeStored(): Promise<void> {
    const ids = [...this.#stored];
    if (ids.length === 0) return;
    await this.#database.query('delete from outbox where id = any($1)', [ids], 'outbox-remove');
    this.#stored.splice(0, ids.length);
  }

  async #publishLeftBehind(): Promise<boolean> {
    const ageMs = this.#lookAtAll ? 0 : leftBehindAfterMs;
    this.#lookAtAll = false;
    try {
      return await this.#publishFromTable(ageMs);
    } catch (error) {
      this.#lookAtAll = true;
      throw error;
    } finally {
      this.#lookedAtMs = performance.now();
    }
  }

  async #publishFromTable(ageMs: number): Promise<boolean> {
    const waiting = new Set(this.#waiting.map(({ id }) => id));
    return await this.#database.transaction(async (tx) => {
      const rows = await tx.sql<Publishing>(
        `select id, subject, payload, trace from outbox where created_at <= now() - $2 * interval '1 millisecond'
          order by id limit $1 for update skip locked`,
        [batchMessagesMax, ageMs],
      );
      const unknown = rows.filter(({ id }) => !waiting.has(id));
      if (unknown.length === 0) return false;
      const { stored, failure } = await this.#publish(unknown);
      await tx.sql('delete from outbox where id = any($1)', [stored]);
      if (failure && stored.length === 0) throw failure;
      if (failure) this.#lookAtAll = true;
      return rows.length === batchMessagesMax;
    });
  }

  async #publish(messages: readonly Publishing[]): Promise<{ stored: string[]; failure: Error | undefined }> {
    if (!this.#bus.connected) return { stored: [], failure: new Error('the connection to NATS is lost') };
    const answers = await this.#publisher.publish(messages, publishTimeoutMs);
    const stored = messages.filter((_message, index) => answers[index] === 'stored').map(({ id }) => id);
    return { stored, failure: answers.find((answer) => answer instanceof Error) };
  }
}

function watchOldestRow({ database, logger }: OutboxRelayOptions): AsyncDisposable {
  let ageSec = 0;
  const help = 'Age of the oldest message that is not on the bus yet';
  const age = gauge('gateway_outbox_oldest_seconds', help, () => ageSec);
  const loop = startLoop({
    name: 'outbox age',
    intervalMs: 10_000,
    logger,
    work: async () => {
      const [row] = await database.query<{ age: number | null }>(
        'select extract(epoch from now() - min(created_at))::float8 as age from outbox',
      );
      ageSec = row?.age ?? 0;
    },
  });
  return {
    [Symbol.asyncDispose]: async () => {
      age[Symbol.dispose]();
      await loop[Symbol.asyncDispose]();
    },
  };
}
