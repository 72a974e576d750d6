import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@gateway/contracts';
import {
  backoffMs,
  counter,
  retriedBy,
  setAside,
  setAsideInPart,
  type Bus,
  type Database,
  type InternalTls,
  type Logger,
} from '@gateway/service-kit';
import { BacklogEstimate } from '#src/backlog/announce-backlog.ts';
import { ClockError } from '#src/clock/clock-problem.ts';
import { clockProblems, clockRefusals, observeClock } from '#src/clock/observe-clock.ts';
import { WriterClock } from '#src/clock/writer-clock.ts';
import { CommandIntake } from '#src/intake/command-intake.ts';
import type { IncomingMessage } from '#src/intake/incoming-message.ts';
import { safeStart } from '#src/intake/safe-start.ts';
import type { StreamPosition } from '#src/intake/stream-position.ts';
import { ensurePartitions } from '#src/partitions/ensure-partitions.ts';
import { postgresTimeMs } from '#src/postgres/postgres-time.ts';
import { shardLabel, type Shard } from '#src/shards.ts';
import { BatchWriter, type Answer } from '#src/writer/batch-writer.ts';
import { observeBatch, reportStrangers } from '#src/writer/observe-batch.ts';
import { openSession, type Session } from '#src/writer/session.ts';
import { Suspect } from '#src/writer/suspect.ts';
import { takeShard } from '#src/writer/take-shard.ts';

/** Whatever queued up while the last batch was being committed, up to this. More gains nothing and costs latency. */
const batchCommandsMax = 500;
const idleWaitMs = 1_000;
const publishTimeoutMs = 5_000;

const tailLosses = counter('gateway_ledger_tail_losses_total', 'Times the broker had lost commands that were read', [
  'shard',
]);

const setAsideTotal = counter('gateway_ledger_commands_set_aside_total', 'Commands nobody could decide', ['shard']);

export interface ShardWriterOptions {
  readonly shard: Shard;
  readonly databaseUrl: string;
  readonly tls?: InternalTls | undefined;
  /** Keeps dead letters. */
  readonly database: Database;
  readonly bus: Bus;
  readonly logger: Logger;
  readonly now: () => number;
}

/**
 * The one writer of a shard's balances. Takes the shard, reads its commands in order, decides them and commits, until
 * it is disposed. After any failure it forgets everything, takes the shard again and goes on from what is committed.
 */
export class ShardWriter implements AsyncDisposable {
  readonly #options: ShardWriterOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  readonly #backlog: BacklogEstimate;
  readonly #retries: Disposable;
  readonly #clock: WriterClock;
  readonly #gauges: Disposable;
  readonly #suspect = new Suspect();
  /** First of the batch that is being written. */
  #firstInLine: number | undefined;
  #decided = 0;
  #writing = false;
  #intake: CommandIntake | undefined;

  constructor(options: ShardWriterOptions) {
    this.#options = options;
    tailLosses.add(0, { shard: shardLabel(options.shard) });
    setAsideTotal.add(0, { shard: shardLabel(options.shard) });
    for (const problem of clockProblems) clockRefusals.add(0, { shard: shardLabel(options.shard), problem });
    this.#clock = new WriterClock(options);
    this.#gauges = observeClock(shardLabel(options.shard), this.#clock);
    this.#backlog = new BacklogEstimate(options.now());
    options.bus.onReconnect(() => this.#intake?.interrupt());
    this.#retries = retriedBy(options.database, this.#consumer, async ({ subject, payload, headers }) => {
      // Decided in its turn: a command has an effect once, by its own id, however often it comes down the stream.
      const again = { messageId: newId('deadLetter'), trace: headers, timeoutMs: publishTimeoutMs };
      await options.bus.publish(subject, payload, again);
    });
    this.#running = this.#run();
  }

  /** True while this instance holds the shard; otherwise it stands by. */
  get writing(): boolean {
    return this.#writing;
  }

  /** Commands that are stored and not yet decided, as far as this writer has seen. */
  get waiting(): number {
    return this.#intake?.waiting ?? 0;
  }

  /** How long a command stored now would wait, judged by the rate since the last call. */
  expectedWaitMs(): number {
    return this.#backlog.waitMs(this.#decided, this.waiting, this.#options.now());
  }

  /** Under which name the writer keeps its dead letters. */
  get #consumer(): string {
    return `ledger-writer-${shardLabel(this.#options.shard)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#retries[Symbol.dispose]();
    this.#gauges[Symbol.dispose]();
    this.#stopping.abort();
    this.#intake?.interrupt();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#stopping.signal.aborted;) {
      try {
        await this.#hold(() => (failures = 0));
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#suspect.note(this.#firstInLine, error);
        this.#noteFailure(error);
      } finally {
        this.#writing = false;
      }
      const pause = sleep(backoffMs(failures++), undefined, { signal: this.#stopping.signal });
      await pause.catch(() => undefined);
    }
  }

  #noteFailure(error: unknown): void {
    const { logger, shard } = this.#options;
    const log = { err: error, shard: shardLabel(shard) };
    if (!(error instanceof ClockError)) return logger.warn(log, 'writer interrupted, taking the shard again');
    clockRefusals.add(1, { shard: shardLabel(shard), problem: error.problem });
    logger.error({ ...log, problem: error.problem }, 'nothing is decided while the clocks disagree');
  }

  /** One tenure: from taking the shard until something fails. */
  async #hold(onCommit: () => void): Promise<void> {
    const { shard, databaseUrl, tls, logger } = this.#options;
    const over = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, over.signal]);
    const onBreak = (error: Error) => {
      over.abort(error);
      this.#intake?.interrupt();
    };
    await using sessions = new AsyncDisposableStack();
    const open = async () => {
      const session = await openSession(databaseUrl, tls);
      sessions.defer(() => session.end().catch(() => undefined));
      return session.on('error', onBreak);
    };
    const session = await open();
    // Whoever has a wrong clock leaves the shard to others; waiting for it may have taken days.
    await this.#compareClocks(session);
    const tenure = await takeShard(session, shard, signal);
    const postgresMs = await this.#compareClocks(session);
    this.#clock.requirePast(tenure.state.head.decidedAtMs, postgresMs);
    await ensurePartitions((script) => session.query(script), postgresMs);
    const writer = new BatchWriter({
      session,
      lookUpSession: await open(),
      shard,
      tenure,
      clock: this.#clock,
      setAside: (message, reason) => this.#setAside(message, reason),
      isSuspect: ({ position }) => this.#suspect.is(position.sequence),
    });
    logger.info({ shard: shardLabel(shard), epoch: tenure.epoch }, 'writing');
    this.#writing = true;
    await this.#writeUntil(signal, writer, tenure.position, onCommit);
    over.signal.throwIfAborted();
  }

  /** @throws ClockError */
  async #compareClocks(session: Session): Promise<number> {
    const askedMs = this.#clock.now();
    const postgresMs = await postgresTimeMs(session);
    this.#clock.compare(askedMs, postgresMs);
    return postgresMs;
  }

  async #writeUntil(
    over: AbortSignal,
    writer: BatchWriter,
    start: StreamPosition,
    onCommit: () => void,
  ): Promise<void> {
    let position = start;
    while (!over.aborted) {
      await using intake = await this.#openIntake(position);
      this.#intake = intake;
      position = (await this.#writeFrom(intake, writer, over, onCommit)) ?? position;
    }
  }

  /** Writes until the intake ends. Answers the last position committed. */
  async #writeFrom(
    intake: CommandIntake,
    writer: BatchWriter,
    over: AbortSignal,
    onCommit: () => void,
  ): Promise<StreamPosition | undefined> {
    const { shard, now, logger } = this.#options;
    let position: StreamPosition | undefined;
    let upcoming: IncomingMessage[] = [];
    let owed: Answer[] = [];
    const answerOwed = () => {
      this.#reply(owed);
      owed = [];
    };
    // With a full batch waiting, PostgreSQL gets that first and the answers go out while it is busy.
    const onSent = () => {
      upcoming = intake.takeFull(batchCommandsMax);
      if (upcoming.length > 0) writer.prepare(upcoming);
      answerOwed();
    };
    try {
      while (!over.aborted && (upcoming.length > 0 || !intake.ended)) {
        const messages = upcoming.length > 0 ? upcoming : await intake.take(batchCommandsMax, idleWaitMs);
        upcoming = [];
        const last = messages.at(-1);
        if (!last) {
          await writer.showLife();
          continue;
        }
        const arrivedAtMs = now();
        this.#firstInLine = messages[0]?.position.sequence;
        const answers = await writer.write(messages, onSent);
        this.#firstInLine = undefined;
        owed.push(...answers);
        position = last.position;
        this.#decided += messages.length;
        observeBatch(shardLabel(shard), answers, arrivedAtMs);
        reportStrangers(logger, shardLabel(shard), answers);
        onCommit();
        if (upcoming.length === 0) answerOwed();
      }
    } finally {
      answerOwed();
    }
    return position;
  }

  async #openIntake(position: StreamPosition): Promise<CommandIntake> {
    const { bus, shard, logger } = this.#options;
    const start = await safeStart(bus.manager.streams, shard.stream.name, position);
    if (start.tailLost) {
      tailLosses.add(1, { shard: shardLabel(shard) });
      logger.error({ shard: shardLabel(shard), position }, 'the broker lost commands that were read; reading again');
    }
    return await CommandIntake.open(bus, shard, start, (...seen) => this.#clock.sawStorageTime(...seen));
  }

  #reply(answers: readonly Answer[]): void {
    const { connection } = this.#options.bus;
    // What is committed stays committed: a failure to say so must not look like one of the batch. Senders ask again.
    if (connection.isClosed() || connection.isDraining()) return;
    for (const { message, result } of answers) {
      if (message.replyTo) connection.publish(message.replyTo, JSON.stringify(result));
    }
  }

  async #setAside(message: IncomingMessage, reason: string): Promise<void> {
    const { database, shard, logger } = this.#options;
    const { sequence } = message.position;
    logger.error({ shard: shardLabel(shard), sequence, reason }, 'command set aside as a dead letter');
    setAsideTotal.add(1, { shard: shardLabel(shard) });
    const keep = this.#suspect.is(sequence) ? setAsideInPart : setAside;
    await keep(database, {
      consumer: this.#consumer,
      stream: shard.stream.name,
      streamSequence: sequence,
      subject: message.subject,
      payload: message.bytes ?? Buffer.from(message.text),
      headers: message.trace,
      reason,
      deliveries: 1,
    });
  }
}
