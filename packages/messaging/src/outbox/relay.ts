import { type Database, outboxWake, type Committed, type OutboxRow } from '@gateway/persistence';
import { startLoop, type Loop, type Logger, gauge, type TraceCarrier } from '@gateway/runtime';
import type { Bus } from '#src/bus/bus.ts';
import { groupHeaders, groupsOf, type EventGroup } from '#src/bus/event-group.ts';
import { StreamPublisher, type OutgoingMessage } from '#src/outbox/stream-publisher.ts';
import { UnreadRows, rowLeaseMs } from '#src/outbox/unread-rows.ts';

const batchMessagesMax = 200;
/** Committed rows queued in memory; more are read from the table, which has them all. */
const queuedRowsMax = 5_000;
/** Between two scans of the table while this relay has rows to wait for. */
const pollIntervalMs = 1_000;
/**
 * While it has none: all that a scan can find then is rows of a process that died, or that could not queue them. They
 * wait five seconds anyway before they are unclaimed.
 */
const restIntervalMs = 5_000;
/**
 * Rows that are done and still in the table: a busy service removes many with one statement, an idle one at its next
 * scan.
 */
const doneRowsMax = 500;
/** Younger rows are queued in the process that committed them. */
const unclaimedAfterMs = 5_000;
/** Bounds how long row locks are held while JetStream is asked to store a batch. */
const publishTimeoutMs = 3_000;

const unclaimedSql = `select id, subject, payload, trace::text as trace from outbox
   where created_at <= now() - $2 * interval '1 millisecond' and (watched_until is null or watched_until < now())
   order by id limit $1 for update skip locked`;
const isAnyUnclaimedSql = `select exists (select from outbox
   where created_at <= now() - $1 * interval '1 millisecond' and (watched_until is null or watched_until < now())) as unclaimed`;
const leaseSql = `update outbox set watched_until = now() + $2 * interval '1 millisecond' where id = any($1)`;

export interface OutboxRelayOptions {
  readonly database: Database;
  readonly bus: Bus;
  readonly logger: Logger;
}

/**
 * Publishes outbox rows until JetStream has stored them, and removes them when their readers have read them: a broker
 * that comes back with less than it had gets the missing messages again. The states of a row:
 *
 *     committed ──────▶ queued ──stored──▶ unread ──acknowledged──▶ done ──▶ removed
 *         │               │                  │
 *         │               │ refused          │ reconnection, or the end of its lease
 *         │               ▼                  │
 *         └─────────▶ unclaimed ◀────────────┘
 *                         └──stored──▶ unread
 *
 * - queued: in the memory of the process that committed it, which publishes it without reading it
 * - unclaimed: in the table alone, after a crash, a refusal, or because too many were queued. The table is scanned for
 *   these rows at start, after a failure, once a second and at rest every five seconds; they stay locked while they are
 *   published, so that several relays share the work
 * - unread: JetStream has it, and a reader has not acknowledged it. After three seconds its row has a lease
 *   (`watched_until`), so that no other relay takes it for unclaimed. A reconnection ends all leases: JetStream may
 *   have lost what it had stored
 * - done: every reader has acknowledged it, or its stream has none; its row is removed together with others
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
  readonly #publisher: StreamPublisher;
  readonly #queued: OutboxRow[] = [];
  /** Ids of rows that are done and that the table has not lost yet. A crash before that publishes them once more. */
  readonly #done: string[] = [];
  readonly #unread: UnreadRows;
  readonly #loop: Loop;
  readonly #onCommit = (committed: Committed) => this.#enqueue(committed);
  /** The table may hold young rows that no process has queued. */
  #scanAllAges = true;
  /** The broker may have less than the leases say: at start that is not known, nor after a reconnection. */
  #leasesAreDoubtful = true;
  #scannedAtMs = 0;

  constructor({ database, bus, logger }: OutboxRelayOptions) {
    this.#database = database;
    this.#bus = bus;
    this.#publisher = new StreamPublisher(bus);
    this.#unread = new UnreadRows(bus);
    this.#loop = startLoop({ name: 'outbox relay', intervalMs: pollIntervalMs, logger, work: () => this.#round() });
    outboxWake.on('committed', this.#onCommit);
    bus.onReconnect(() => this.#afterReconnection());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    outboxWake.off('committed', this.#onCommit);
    await this.#loop[Symbol.asyncDispose]();
    await this.#collectRead();
    // What cannot be removed now is published again by the next relay, under the same message ids.
    await this.#removeDone().catch(() => undefined);
    await this.#publisher[Symbol.asyncDispose]();
  }

  #enqueue({ database, rows }: Committed): void {
    if (database === undefined) return this.#scanSoon();
    if (database !== this.#database) return;
    if (this.#bus.connected && this.#queued.length < queuedRowsMax) this.#queued.push(...rows);
    this.#loop.wake();
  }

  #scanSoon(): void {
    this.#scanAllAges = true;
    this.#loop.wake();
  }

  #afterReconnection(): void {
    this.#leasesAreDoubtful = true;
    this.#unread.forget();
    this.#scanSoon();
  }

  /** Answers true when more is waiting, else how long nothing is to be done. */
  async #round(): Promise<boolean | number> {
    const batch = this.#queued.splice(0, batchMessagesMax);
    if (batch.length > 0) await this.#publishQueued(batch);
    const isDue = this.#scanAllAges || performance.now() - this.#scannedAtMs >= pollIntervalMs;
    if (isDue) await this.#collectRead();
    if (isDue || batch.length === 0 || this.#done.length >= doneRowsMax) await this.#removeDone();
    const isFull = isDue && (await this.#publishUnclaimed());
    if (isFull || this.#queued.length > 0) return true;
    const isAtRest = this.#unread.size === 0 && this.#done.length === 0 && !this.#scanAllAges;
    return isAtRest ? restIntervalMs : pollIntervalMs;
  }

  async #publishQueued(rows: readonly OutboxRow[]): Promise<void> {
    const failure = await this.#publish(groupsOf(rows));
    if (!failure) return;
    this.#scanAllAges = true;
    throw failure;
  }

  /** Reads the readers' positions; a broker that does not answer is asked again at the next scan. */
  async #collectRead(): Promise<void> {
    this.#done.push(...(await this.#unread.takeRead().catch(() => [])));
  }

  async #removeDone(): Promise<void> {
    const ids = [...this.#done];
    if (ids.length === 0) return;
    await this.#database.query('delete from outbox where id = any($1)', [ids], 'outbox-remove');
    this.#done.splice(0, ids.length);
  }

  async #leaseUnread(): Promise<void> {
    const ids = this.#unread.takeUnleased();
    if (ids.length > 0) await this.#database.query(leaseSql, [ids, rowLeaseMs], 'outbox-lease');
  }

  async #publishUnclaimed(): Promise<boolean> {
    const ageMs = this.#scanAllAges ? 0 : unclaimedAfterMs;
    this.#scanAllAges = false;
    try {
      if (this.#leasesAreDoubtful)
        await this.#database.query('update outbox set watched_until = null where watched_until > now()');
      this.#leasesAreDoubtful = false;
      await this.#leaseUnread();
      return await this.#publishFromTable(ageMs);
    } catch (error) {
      this.#scanAllAges = true;
      throw error;
    } finally {
      this.#scannedAtMs = performance.now();
    }
  }

  async #publishFromTable(ageMs: number): Promise<boolean> {
    const [found] = await this.#database.query<{ unclaimed: boolean }>(isAnyUnclaimedSql, [ageMs], 'outbox-unclaimed');
    if (!found?.unclaimed) return false;
    return await this.#database.transaction(async (tx) => {
      const rows = await tx.sql<OutboxRow>(unclaimedSql, [batchMessagesMax, ageMs]);
      // Read after the rows: those just committed are queued by now, behind older ones that are published first.
      const known = new Set([...this.#queued.map(({ id }) => id), ...this.#done]);
      const unknown = rows.filter(({ id }) => !known.has(id) && !this.#unread.has(id));
      if (unknown.length === 0) return false;
      // Ungrouped, so that the broker recognises the message ids of events that were stored one by one.
      const failure = await this.#publish(unknown.flatMap((row) => groupsOf([row])));
      const done = new Set(this.#done);
      const unread = unknown.filter(({ id }) => !done.has(id) && this.#unread.has(id)).map(({ id }) => id);
      await tx.sql(leaseSql, [unread, rowLeaseMs]);
      if (failure && unread.length === 0 && done.size === 0) throw failure;
      if (failure) this.#scanAllAges = true;
      return rows.length === batchMessagesMax;
    });
  }

  /** Keeps what was stored as unread or done; answers why something was not stored. */
  async #publish(groups: readonly EventGroup[]): Promise<Error | undefined> {
    if (!this.#bus.connected) return new Error('the connection to NATS is lost');
    const answers = await this.#publisher.publish(groups.map(messageOf), publishTimeoutMs);
    let failure: Error | undefined;
    for (const [index, { ids }] of groups.entries()) {
      const answer = answers[index];
      if (answer instanceof Error) failure = answer;
      else if (answer && !this.#unread.keep(ids, answer)) this.#done.push(...ids);
    }
    return failure;
  }
}

function messageOf(group: EventGroup): OutgoingMessage {
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
