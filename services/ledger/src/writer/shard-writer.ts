import { setTimeout as sleep } from 'node:timers/promises';
import { retriedBy, type Bus } from '@gateway/messaging';
import { newId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { backoffMs, counter, type InternalTls, type Logger } from '@gateway/runtime';
import type { Append } from '#src/chapters/close-chapter.ts';
import { CommandConsumer } from '#src/consumer/command-consumer.ts';
import type { IncomingMessage, StreamPosition } from '#src/consumer/incoming-message.ts';
import { safeStart } from '#src/consumer/safe-start.ts';
import { shardLabel, type Shard } from '#src/shards.ts';
import type { Witness } from '#src/witnesses/witness.ts';
import { acquireSoundShard } from '#src/writer/acquire-sound-shard.ts';
import { BacklogEstimate } from '#src/writer/announce-backlog.ts';
import { BatchWriter, type Answer } from '#src/writer/batch-writer.ts';
import {
  clockProblems,
  clockRefusals,
  observeBatch,
  observeClock,
  reportUnknownProviders,
} from '#src/writer/observe-writer.ts';
import { PendingLinks } from '#src/writer/pending-links.ts';
import { Suspect } from '#src/writer/poison.ts';
import { nameSession, openSession, silenceTimeoutMs } from '#src/writer/session.ts';
import { deadLetters, setAside } from '#src/writer/set-aside.ts';
import { LedgerBehindError, ShardWitnesses } from '#src/writer/shard-witnesses.ts';
import { ClockError, WriterClock } from '#src/writer/writer-clock.ts';
import { sessionName } from '#src/writer/writer-sessions.ts';

/** Of the commands that arrived during the last commit, at most this many. More gains nothing and costs latency. */
const batchCommandsMax = 500;
/** How often a writer without commands asks its session and compares its clock: twice before PostgreSQL ends that. */
const idleWaitMs = silenceTimeoutMs / 2;
const publishTimeoutMs = 5_000;

const tailLosses = counter('gateway_ledger_tail_losses_total', 'Times the broker had lost commands that were read', [
  'shard',
]);

export interface ShardWriterOptions {
  readonly shard: Shard;
  readonly databaseUrl: string;
  readonly tls?: InternalTls | undefined;
  /** Keeps dead letters. */
  readonly database: Database;
  readonly bus: Bus;
  readonly logger: Logger;
  readonly now: () => number;
  /** Those who keep what they have seen of the chain. Without any, the chain is believed as it is. */
  readonly witnesses?: readonly Witness[];
  /** The same outside of the product, as far as they answer. */
  readonly outside?: readonly Witness[];
  /** How long a first answer of theirs is waited for. */
  readonly witnessWaitMs?: number;
  /** Called whenever the shard was acquired. */
  readonly onLease?: () => void;
}

/** What is done during a lease. */
interface LeaseWork {
  readonly writer: BatchWriter;
  /** Called between two batches, when none is prepared. */
  readonly between: () => Promise<void>;
  readonly onCommit: () => void;
}

/**
 * The one writer of a shard's balances. Until it is disposed it acquires the shard, reads its commands in order,
 * decides and commits them. After any failure it drops its state, acquires the shard again and continues from what is
 * committed.
 */
export class ShardWriter implements AsyncDisposable {
  readonly #options: ShardWriterOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  readonly #backlog: BacklogEstimate;
  readonly #retries: Disposable;
  readonly #clock: WriterClock;
  readonly #gauges: Disposable;
  readonly #witnesses: ShardWitnesses;
  readonly #suspect = new Suspect();
  readonly #links = new PendingLinks();
  /** Sequence of the first message of the batch that is being written. */
  #firstInBatch: number | undefined;
  #decided = 0;
  #writing = false;
  #commands: CommandConsumer | undefined;

  constructor(options: ShardWriterOptions) {
    this.#options = options;
    tailLosses.add(0, { shard: shardLabel(options.shard) });
    deadLetters.add(0, { shard: shardLabel(options.shard) });
    for (const problem of clockProblems) clockRefusals.add(0, { shard: shardLabel(options.shard), problem });
    this.#clock = new WriterClock(options);
    this.#gauges = observeClock(shardLabel(options.shard), this.#clock);
    const { witnesses = [], witnessWaitMs = 0 } = options;
    this.#witnesses = new ShardWitnesses({ ...options, witnesses, waitMs: witnessWaitMs });
    this.#backlog = new BacklogEstimate(options.now());
    options.bus.onReconnect(() => this.#commands?.interrupt());
    this.#retries = retriedBy(options.database, this.#consumerName, async ({ subject, payload, headers }) => {
      // It is decided in its turn. A command has one effect, by its own id, however often it is published.
      const again = { messageId: newId('deadLetter'), trace: headers, timeoutMs: publishTimeoutMs };
      await options.bus.publish(subject, payload, again);
    });
    this.#running = this.#run();
  }

  /** True while this instance holds the shard; otherwise it is on standby. */
  get writing(): boolean {
    return this.#writing;
  }

  /** Appends a link that moves no money, between two batches; within seconds where nothing is decided. */
  get append(): Append {
    return this.#links.append;
  }

  /** @throws LedgerBehindError while nothing is decided because the chain is not the one its witnesses have seen */
  requireAgreement(): void {
    this.#witnesses.requireAgreement();
  }

  /** Commands that are stored and not yet decided, as far as this writer has seen. */
  get waiting(): number {
    return this.#commands?.waiting ?? 0;
  }

  /** How long a command stored now would wait, estimated from the rate since the last call. */
  expectedWaitMs(): number {
    return this.#backlog.waitMs(this.#decided, this.waiting, this.#options.now());
  }

  /** The consumer name under which dead letters are stored. */
  get #consumerName(): string {
    return `ledger-writer-${shardLabel(this.#options.shard)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#retries[Symbol.dispose]();
    this.#gauges[Symbol.dispose]();
    this.#stopping.abort();
    this.#commands?.interrupt();
    await this.#running;
    this.#witnesses[Symbol.dispose]();
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#stopping.signal.aborted;) {
      try {
        await this.#holdShard(() => (failures = 0));
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#suspect.note(this.#firstInBatch, error);
        this.#noteFailure(error);
      } finally {
        this.#writing = false;
        this.#links.close();
      }
      const pause = sleep(backoffMs(failures++), undefined, { signal: this.#stopping.signal });
      await pause.catch(() => undefined);
    }
  }

  #noteFailure(error: unknown): void {
    const { logger, shard } = this.#options;
    const log = { err: error, shard: shardLabel(shard) };
    if (error instanceof LedgerBehindError) return logger.error(log, 'nothing is decided on a chain that lost its end');
    if (!(error instanceof ClockError)) return logger.warn(log, 'writer interrupted, acquiring the shard again');
    clockRefusals.add(1, { shard: shardLabel(shard), problem: error.problem });
    logger.error({ ...log, problem: error.problem }, 'nothing is decided while the clocks disagree');
  }

  /** One lease: from acquiring the shard until a failure. */
  async #holdShard(onCommit: () => void): Promise<void> {
    const { shard, databaseUrl, tls, logger } = this.#options;
    const ending = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, ending.signal]);
    const onBreak = (error: Error) => {
      ending.abort(error);
      this.#commands?.interrupt();
    };
    await using sessions = new AsyncDisposableStack();
    const open = async (endsInSilence: boolean, name?: string) => {
      const session = await openSession(databaseUrl, { tls, endsInSilence, ...(name === undefined ? {} : { name }) });
      sessions.defer(() => session.end().catch(() => undefined));
      return session.on('error', onBreak);
    };
    const session = await open(true, sessionName(shard, null));
    const ground = { shard, clock: this.#clock, witnesses: this.#witnesses, logger };
    const lease = await acquireSoundShard(session, ground, signal);
    const lookUpSession = await open(false);
    const isSuspect = ({ position }: IncomingMessage) => this.#suspect.is(position.sequence);
    const writer = new BatchWriter({
      session,
      lookUpSession,
      shard,
      lease,
      clock: this.#clock,
      deadLetter: (message, reason) =>
        setAside({ ...this.#options, consumer: this.#consumerName }, message, reason, isSuspect(message)),
      isSuspect,
    });
    await nameSession(session, sessionName(shard, Math.floor(this.#options.now() / 1_000)));
    logger.info({ shard: shardLabel(shard), epoch: lease.epoch }, 'writing');
    this.#writing = true;
    this.#links.open();
    this.#options.onLease?.();
    sessions.defer(() => ending.abort());
    this.#witnesses.hearLate(lookUpSession, signal).catch(onBreak);
    const between = () => this.#links.write(session, writer);
    await this.#writeUntil(signal, { writer, between, onCommit }, lease.position);
    ending.signal.throwIfAborted();
  }

  async #writeUntil(ended: AbortSignal, work: LeaseWork, start: StreamPosition): Promise<void> {
    let position = start;
    while (!ended.aborted) {
      await using consumer = await this.#openConsumer(position);
      this.#commands = consumer;
      position = (await this.#writeFrom(consumer, work, ended)) ?? position;
    }
  }

  /** Writes until the consumer ends. Returns the last position committed. */
  async #writeFrom(
    consumer: CommandConsumer,
    { writer, between, onCommit }: LeaseWork,
    ended: AbortSignal,
  ): Promise<StreamPosition | undefined> {
    const { shard, now, logger } = this.#options;
    let position: StreamPosition | undefined;
    let upcoming: IncomingMessage[] = [];
    let unsent: Answer[] = [];
    const sendAnswers = () => {
      this.#reply(unsent);
      unsent = [];
    };
    // When a full batch is waiting it is prepared first, and the answers are sent while PostgreSQL is busy.
    const onSent = () => {
      upcoming = this.#links.isEmpty ? consumer.takeFull(batchCommandsMax) : [];
      if (upcoming.length > 0) writer.prepare(upcoming);
      sendAnswers();
    };
    try {
      while (!ended.aborted && (upcoming.length > 0 || !consumer.ended)) {
        if (upcoming.length === 0) await between();
        const messages = upcoming.length > 0 ? upcoming : await consumer.take(batchCommandsMax, idleWaitMs);
        upcoming = [];
        const last = messages.at(-1);
        if (!last) {
          await writer.keepAlive();
          continue;
        }
        const arrivedAtMs = now();
        this.#firstInBatch = messages[0]?.position.sequence;
        const answers = await writer.write(messages, onSent);
        this.#firstInBatch = undefined;
        unsent.push(...answers);
        position = last.position;
        this.#decided += messages.length;
        observeBatch(shardLabel(shard), answers, arrivedAtMs);
        reportUnknownProviders(logger, shardLabel(shard), answers);
        onCommit();
        if (upcoming.length === 0) sendAnswers();
      }
    } finally {
      sendAnswers();
    }
    return position;
  }

  async #openConsumer(position: StreamPosition): Promise<CommandConsumer> {
    const { bus, shard, logger } = this.#options;
    const start = await safeStart(bus.manager.streams, shard.stream.name, position);
    if (start.tailLost) {
      tailLosses.add(1, { shard: shardLabel(shard) });
      logger.error({ shard: shardLabel(shard), position }, 'the broker lost commands that were read; reading again');
    }
    return await CommandConsumer.open(bus, shard, start, (...seen) => this.#clock.sawStorageTime(...seen));
  }

  #reply(answers: readonly Answer[]): void {
    const { connection } = this.#options.bus;
    // The batch is committed: a failure to answer must not look like a failure of the batch. Senders ask again.
    if (connection.isClosed() || connection.isDraining()) return;
    for (const { message, result } of answers) {
      if (message.replyTo) connection.publish(message.replyTo, Buffer.from(JSON.stringify(result)));
    }
  }
}
