import { type Database, outboxWake, type Committed, type OutboxRow } from '@gateway/persistence';
import { startLoop, type Loop, type Logger, gauge, type TraceCarrier } from '@gateway/runtime';
import type { Bus } from '#src/bus/bus.ts';
import { groupHeaders, groupsOf, type EventGroup } from '#src/bus/event-group.ts';
import { StoredPublisher, type Publishing } from '#src/outbox/stored-publisher.ts';
import { UnreadRows, watchedForMs } from '#src/outbox/unread-rows.ts';

const batchMessagesMax = 200;
/** Committed rows that wait in memory; more are left to the table, which has them all. */
const waitingRowsMax = 5_000;
const pollIntervalMs = 1_000;
/**
 * Rows that are done and still in the table: a busy service removes many with one statement, an idle one at its next
 * look.
 */
const doneRowsMax = 500;
/** Younger rows are in the memory of the process that committed them. */
const leftBehindAfterMs = 5_000;
/** Bounds how long row locks are held while JetStream is asked to store a batch. */
const publishTimeoutMs = 3_000;

const leftBehindSql = `select id, subject, payload, trace::text as trace from outbox
   where created_at <= now() - $2 * interval '1 millisecond' and (watched_until is null or watched_until < now())
   order by id limit $1 for update skip locked`;
const watchSql = `update outbox set watched_until = now() + $2 * interval '1 millisecond' where id = any($1)`;

export interface OutboxRelayOptions {
  readonly database: Database;
  readonly bus: Bus;
  readonly logger: Logger;
}

/**
 * Publishes outbox rows until JetStream has stored them, and removes them when their readers have read them: a broker
 * that comes back with less than it had gets the missing messages again. The way of a row:
 *
 *     committed ──────▶ waiting ──stored──▶ unread ──read──▶ done ──▶ removed
 *         │                │                  │
 *         │                │ refused          │ the broker was away
 *         │                ▼                  │
 *         └─────────▶ left behind ◀───────────┘
 *                          └──stored──▶ unread
 *
 * - waiting: in the memory of the process that committed it, which publishes it without reading it
 * - left behind: in the table alone, by a crash, a refusal, or because too many were waiting. It is looked for at start,
 *   after a failure and once a second, and stays locked while it is published, so that several relays share the work
 * - unread: JetStream has it, and a reader has not acknowledged it. After three seconds its row is marked
 *   (`watched_until`), so that no relay takes it for left behind. After a reconnection the marks are erased: JetStream
 *   may have lost what it had stored
 * - done: every reader has acknowledged it, or the stream has none; its row is removed with others
 *
 * A message that is published twice has the same message id.
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
  /** Ids of rows that are done and that the table has not lost yet. A crash before that publishes them once more. */
  readonly #done: string[] = [];
  readonly #unread: UnreadRows;
  readonly #loop: Loop;
  readonly #onCommit = (committed: Committed) => this.#take(committed);
  /** The table may hold young rows that no process has in memory. */
  #lookAtAll = true;
  /** The broker may not have what it was sent: at start that is not known, and it may have come back with less. */
  #doubted = true;
  #lookedAtMs = 0;

  constructor({ database, bus, logger }: OutboxRelayOptions) {
    this.#database = database;
    this.#bus = bus;
    this.#publisher = new StoredPublisher(bus);
    this.#unread = new UnreadRows(bus);
    this.#loop = startLoop({ name: 'outbox relay', intervalMs: pollIntervalMs, logger, work: () => this.#round() });
    outboxWake.on('committed', this.#onCommit);
    bus.onReconnect(() => this.#doubt());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    outboxWake.off('committed', this.#onCommit);
    await this.#loop[Symbol.asyncDispose]();
    await this.#findRead();
    // What cannot be removed now is published again by the next relay, under the same message ids.
    await this.#removeDone().catch(() => undefined);
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

  #doubt(): void {
    this.#doubted = true;
    this.#unread.forget();
    this.#lookAgain();
  }

  /** Answers true when more is waiting. */
  async #round(): Promise<boolean> {
    const batch = this.#waiting.splice(0, batchMessagesMax);
    if (batch.length > 0) await this.#publishCommitted(batch);
    const isDue = this.#lookAtAll || performance.now() - this.#lookedAtMs >= pollIntervalMs;
    if (isDue) await this.#findRead();
    if (isDue || batch.length === 0 || this.#done.length >= doneRowsMax) await this.#removeDone();
    const isFull = isDue && (await this.#publishLeftBehind());
    return isFull || this.#waiting.length > 0;
  }

  async #publishCommitted(rows: readonly OutboxRow[]): Promise<void> {
    const failure = await this.#publish(groupsOf(rows));
    if (!failure) return;
    this.#lookAtAll = true;
    throw failure;
  }

  /** A broker that does not answer is asked again next time. */
  async #findRead(): Promise<void> {
    this.#done.push(...(await this.#unread.takeRead().catch(() => [])));
  }

  async #removeDone(): Promise<void> {
    const ids = [...this.#done];
    if (ids.length === 0) return;
    await this.#database.query('delete from outbox where id = any($1)', [ids], 'outbox-remove');
    this.#done.splice(0, ids.length);
  }

  async #watchOverUnread(): Promise<void> {
    const ids = this.#unread.takeUnmarked();
    if (ids.length > 0) await this.#database.query(watchSql, [ids, watchedForMs], 'outbox-watch');
  }

  async #publishLeftBehind(): Promise<boolean> {
    const ageMs = this.#lookAtAll ? 0 : leftBehindAfterMs;
    this.#lookAtAll = false;
    try {
      if (this.#doubted)
        await this.#database.query('update outbox set watched_until = null where watched_until > now()');
      this.#doubted = false;
      await this.#watchOverUnread();
      return await this.#publishFromTable(ageMs);
    } catch (error) {
      this.#lookAtAll = true;
      throw error;
    } finally {
      this.#lookedAtMs = performance.now();
    }
  }

  async #publishFromTable(ageMs: number): Promise<boolean> {
    return await this.#database.transaction(async (tx) => {
      const rows = await tx.sql<OutboxRow>(leftBehindSql, [batchMessagesMax, ageMs]);
      // Asked after the rows: those just committed are in memory by now, behind others that go first.
      const known = new Set([...this.#waiting.map(({ id }) => id), ...this.#done]);
      const unknown = rows.filter(({ id }) => !known.has(id) && !this.#unread.has(id));
      if (unknown.length === 0) return false;
      // On their own, so that the broker knows again what was stored on its own.
      const failure = await this.#publish(unknown.flatMap((row) => groupsOf([row])));
      const done = new Set(this.#done);
      const unread = unknown.filter(({ id }) => !done.has(id) && this.#unread.has(id)).map(({ id }) => id);
      await tx.sql(watchSql, [unread, watchedForMs]);
      if (failure && unread.length === 0 && done.size === 0) throw failure;
      if (failure) this.#lookAtAll = true;
      return rows.length === batchMessagesMax;
    });
  }

  /** Sees to what was stored; answers why something was not. */
  async #publish(groups: readonly EventGroup[]): Promise<Error | undefined> {
    if (!this.#bus.connected) return new Error('the connection to NATS is lost');
    const answers = await this.#publisher.publish(groups.map(messageOf), publishTimeoutMs);
    let failure: Error | undefined;
    for (const [index, { ids }] of groups.entries()) {
      const answer = answers[index];
      if (answer instanceof Error) failure = answer;
      else if (answer) this.#done.push(...ids.filter((id) => !this.#unread.keep(id, answer)));
    }
    return failure;
  }
}

function messageOf(group: EventGroup): Publishing {
  const { messageId, subject, payload, trace } = group;
  const carrier = JSON.parse(trace) as TraceCarrier;
  return { subject, payload, headers: { ...carrier, ...groupHeaders(group), 'Nats-Msg-Id': messageId } };
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
        `select extract(epoch from now() - min(created_at))::float8 as age from outbox
          where watched_until is null or watched_until < now()`,
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
