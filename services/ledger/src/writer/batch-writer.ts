import { idSequence, type LedgerCommand, type LedgerResult } from '@gateway/contracts';
import type { LedgerRequest } from '#src/chain/canonical-request.ts';
import type { WriterClock } from '#src/clock/writer-clock.ts';
import type { IncomingMessage } from '#src/intake/incoming-message.ts';
import type { Reading } from '#src/intake/read-command.ts';
import type { StreamPosition } from '#src/intake/stream-position.ts';
import { apply, type KnownRecords } from '#src/posting/apply.ts';
import { invalidCommandResult } from '#src/posting/decision.ts';
import { postgresTimeMs } from '#src/postgres/postgres-time.ts';
import type { ShardName } from '#src/shards.ts';
import { decisionClock } from '#src/writer/decision-clock.ts';
import { findKnown } from '#src/writer/find-known.ts';
import { knownBehind, type BatchInFlight } from '#src/writer/in-flight.ts';
import { isPoison } from '#src/writer/poison.ts';
import type { Session } from '#src/writer/session.ts';
import type { ShardTenure } from '#src/writer/take-shard.ts';
import { batchStatement, writeBatch, type BatchStatement } from '#src/writer/write-batch.ts';

export interface BatchWriterOptions {
  /** Holds the shard; everything is written on it. */
  readonly session: Session;
  /** For look-ups while the other one is busy with a commit. */
  readonly lookUpSession: Session;
  readonly shard: ShardName;
  readonly tenure: ShardTenure;
  readonly clock: WriterClock;
  /** Keeps a message that can never be decided, before the cursor passes it. */
  readonly setAside: (message: IncomingMessage, reason: string) => Promise<void>;
  /** True for a message that has ended several tenures: now it is blamed for whatever happens to it. */
  readonly isSuspect?: (message: IncomingMessage) => boolean;
}

/** A committed decision and the message it answers. */
export interface Answer {
  readonly message: IncomingMessage;
  readonly command: LedgerCommand | null;
  readonly result: LedgerResult;
}

interface ValidMessage {
  readonly message: IncomingMessage;
  readonly request: LedgerRequest;
}

/** A batch that is being looked up and decided, or has been. */
interface PreparedBatch {
  readonly messages: readonly IncomingMessage[];
  readonly valid: readonly ValidMessage[];
  readonly decided: Promise<DecidedBatch>;
}

interface DecidedBatch extends BatchInFlight {
  readonly statement: BatchStatement;
  /** Takes the batch back out of the memory. */
  readonly takeBack: () => void;
}

/**
 * Decides and commits batches during one tenure of a shard. While PostgreSQL commits a batch the one behind it can be
 * decided already, on what the memory will be after that commit; it is sent when the commit has succeeded. After any
 * error but poison the memory is worth nothing: the tenure ends, and the next one starts from what is committed.
 */
export class BatchWriter {
  readonly #options: BatchWriterOptions;
  readonly #newEntryId = idSequence('ledgerEntry');
  readonly #clock: () => number;
  #upcoming: PreparedBatch | undefined;
  /** Decided and not committed, in their order: the one being written and the one behind it. */
  #inFlight: DecidedBatch[] = [];

  constructor(options: BatchWriterOptions) {
    this.#options = options;
    this.#clock = decisionClock(options.clock.now, options.tenure.state.head.decidedAtMs);
  }

  /**
   * Resolves with the answers once everything is committed, the cursor behind the last message included.
   *
   * @param onSent called when the batch is on its way to PostgreSQL; `prepare` may be called in it
   */
  async write(messages: readonly IncomingMessage[], onSent?: () => void): Promise<Answer[]> {
    const last = messages.at(-1);
    if (!last) return [];
    const batch = this.#upcoming ?? this.#begin(messages, last.position);
    if (batch.messages !== messages) throw new Error('another batch was prepared');
    this.#upcoming = undefined;
    const answers: Answer[] = [];
    for (const message of messages) {
      if (!message.reading.ok) answers.push(...(await this.#turnAway(message, message.reading)));
    }
    return [...answers, ...(await this.#commitAll(batch, last, onSent))];
  }

  /**
   * Looks up and decides the batch that will be written next, without waiting for the commit of this one.
   *
   * @returns false when the batch has to be begun after the commit
   */
  prepare(messages: readonly IncomingMessage[]): boolean {
    const last = messages.at(-1);
    if (!last || this.#options.tenure.state.full) return false;
    this.#upcoming = this.#begin(messages, last.position);
    return true;
  }

  /**
   * To be called while there is nothing to write: the server ends the session of a writer that says nothing.
   *
   * @throws ClockError
   */
  async showLife(): Promise<void> {
    const { session, lookUpSession, clock } = this.#options;
    const askedMs = clock.now();
    const [postgresMs] = await Promise.all([postgresTimeMs(session), lookUpSession.query('select 1')]);
    clock.compare(askedMs, postgresMs);
  }

  #begin(messages: readonly IncomingMessage[], position: StreamPosition): PreparedBatch {
    const valid = messages.flatMap((message) =>
      message.reading.ok ? [{ message, request: message.reading.request }] : [],
    );
    const decided = this.#lookUpAndDecide(valid, position);
    // A failure is met where the batch is written, which may be later.
    decided.catch(() => undefined);
    return { messages, valid, decided };
  }

  async #lookUpAndDecide(valid: readonly ValidMessage[], position: StreamPosition): Promise<DecidedBatch> {
    const { lookUpSession, shard, tenure } = this.#options;
    const requests = valid.map(({ request }) => request);
    // What was in flight when the look-up was sent is what it may not have seen.
    const ahead = this.#inFlight.at(-1);
    const found = await findKnown(lookUpSession, shard, tenure.state, requests);
    return this.#decide(requests, ahead ? knownBehind(found, ahead) : found, position);
  }

  #decide(requests: readonly LedgerRequest[], known: KnownRecords, position: StreamPosition): DecidedBatch {
    const { shard, tenure } = this.#options;
    const { state, epoch } = tenure;
    const outcome = apply(shard, state, known, requests, { atMs: this.#clock(), newEntryId: this.#newEntryId });
    const statement = batchStatement(state, { shard, epoch, position, outcome });
    const decided = { requests, known, outcome, statement, takeBack: state.absorb(outcome.change) };
    this.#inFlight.push(decided);
    return decided;
  }

  /** A batch that cannot be decided as a whole is decided one by one, so that one command holds up no other. */
  async #commitAll(batch: PreparedBatch, last: IncomingMessage, onSent?: () => void): Promise<Answer[]> {
    try {
      return await this.#commit(batch, onSent);
    } catch (error) {
      const [first] = batch.messages;
      if (!isPoison(error) && !(first && this.#isSuspect(first))) throw error;
      await this.#takeBackInFlight();
    }
    const answers: Answer[] = [];
    for (const { message } of batch.valid) {
      try {
        answers.push(...(await this.#commit(this.#begin([message], message.position))));
      } catch (error) {
        if (!isPoison(error) && !this.#isSuspect(message)) throw error;
        await this.#takeBackInFlight();
        await this.#options.setAside(message, error instanceof Error ? error.message : String(error));
      }
    }
    return [...answers, ...(await this.#commit(this.#begin([], last.position)))];
  }

  async #commit({ valid, decided }: PreparedBatch, onSent?: () => void): Promise<Answer[]> {
    const { session, tenure, clock } = this.#options;
    const { outcome, statement } = await decided;
    await writeBatch(session, statement, clock, onSent);
    this.#inFlight.shift();
    if (!this.#upcoming) tenure.state.boundMemory();
    return valid.flatMap(({ message, request }, index) => {
      const result = outcome.answers[index];
      return result ? [{ message, command: request.command, result }] : [];
    });
  }

  /** Back to what is committed. What was prepared on top of it has to be prepared again. */
  async #takeBackInFlight(): Promise<void> {
    const upcoming = this.#upcoming;
    this.#upcoming = undefined;
    await upcoming?.decided.catch(() => undefined);
    for (const { takeBack } of this.#inFlight.toReversed()) takeBack();
    this.#inFlight = [];
  }

  #isSuspect(message: IncomingMessage): boolean {
    return this.#options.isSuspect?.(message) ?? false;
  }

  async #turnAway(message: IncomingMessage, reading: Extract<Reading, { ok: false }>): Promise<Answer[]> {
    await this.#options.setAside(message, reading.reason);
    if (reading.commandId === null) return [];
    return [{ message, command: null, result: invalidCommandResult(reading.commandId, reading.field) }];
  }
}
