import type { LedgerCommand, LedgerResult } from '@gateway/contracts/ledger';
import { idSequence } from '@gateway/money';
import { appendLink, type Statement } from '#src/chain/append-link.ts';
import type { LedgerRequest } from '#src/chain/canonical-request.ts';
import type { IncomingMessage, StreamPosition } from '#src/consumer/incoming-message.ts';
import type { ParsedCommand } from '#src/consumer/parse-command.ts';
import { apply, type KnownRecords } from '#src/decision/apply.ts';
import { invalidCommandResult } from '#src/decision/decision.ts';
import { postgresTimeMs } from '#src/postgres/postgres-time.ts';
import type { ShardName } from '#src/shards.ts';
import { findKnown, knownBehind, type BatchInFlight } from '#src/writer/find-known.ts';
import { isPoison } from '#src/writer/poison.ts';
import type { Session } from '#src/writer/session.ts';
import type { ShardLease } from '#src/writer/shard-lease.ts';
import { batchStatement, writeBatch, type BatchStatement } from '#src/writer/write-batch.ts';
import { decisionClock, type WriterClock } from '#src/writer/writer-clock.ts';

export interface BatchWriterOptions {
  /** The session that holds the shard's lock; everything is written on it. */
  readonly session: Session;
  /** For look-ups while the first session is busy with a commit. */
  readonly lookUpSession: Session;
  readonly shard: ShardName;
  readonly lease: ShardLease;
  readonly clock: WriterClock;
  /** Stores a message that cannot be decided as a dead letter, before the cursor passes it. */
  readonly deadLetter: (message: IncomingMessage, reason: string) => Promise<void>;
  /** True for a message at which several leases have ended: its next failure makes it a dead letter. */
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

/** A batch whose look-up and decision have been started. */
interface PreparedBatch {
  readonly messages: readonly IncomingMessage[];
  readonly valid: readonly ValidMessage[];
  readonly decided: Promise<DecidedBatch>;
}

interface DecidedBatch extends BatchInFlight {
  readonly statement: BatchStatement;
  /** Removes the batch's changes from the state in memory. */
  readonly rollBack: () => void;
}

/** Times the session is asked, for one of the look-up session. */
const lookUpEvery = 5;

/**
 * Decides and commits batches during one lease of a shard. While PostgreSQL commits a batch, the next one can be
 * decided already, on the state that the commit will leave; it is sent when the commit has succeeded. After any error
 * but poison the state in memory may be wrong: the lease ends, and the next one loads what is committed.
 */
export class BatchWriter {
  readonly #options: BatchWriterOptions;
  readonly #newEntryId = idSequence('ledgerEntry');
  readonly #clock: () => number;
  #upcoming: PreparedBatch | undefined;
  #keptAlive = 0;
  /** Batches that are decided and not committed, in order: the one being written and the next one. */
  #inFlight: DecidedBatch[] = [];

  constructor(options: BatchWriterOptions) {
    this.#options = options;
    this.#clock = decisionClock(options.clock.now, options.lease.state.head.decidedAtMs);
  }

  /**
   * Resolves with the answers when everything is committed, with the cursor after the last message.
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
      if (!message.parsed.ok) answers.push(...(await this.#reject(message, message.parsed)));
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
    if (!last || this.#options.lease.state.full) return false;
    this.#upcoming = this.#begin(messages, last.position);
    return true;
  }

  /**
   * To be called while there is nothing to write: PostgreSQL ends the session of a writer that is silent. The look-up
   * session holds no lock and is asked less often, so that one that is lost is found before a command waits for it.
   *
   * @throws ClockError
   */
  async keepAlive(): Promise<void> {
    const { session, lookUpSession, clock } = this.#options;
    const askedMs = clock.now();
    const asksBoth = this.#keptAlive++ % lookUpEvery === 0;
    const [postgresMs] = await Promise.all([postgresTimeMs(session), asksBoth && lookUpSession.query('select 1')]);
    clock.compare(askedMs, postgresMs);
  }

  /** Nothing that is written from now on is dated before it, Unix milliseconds. */
  nextAtMs(): number {
    return this.#clock();
  }

  /**
   * Appends a link that moves no money. To be called between two batches, when none is prepared.
   *
   * @throws ClockError
   */
  async append(statement: Statement): Promise<void> {
    if (this.#upcoming || this.#inFlight.length > 0) throw new Error('a batch is being written');
    await this.keepAlive();
    const { session, shard, lease } = this.#options;
    const { head } = lease.state;
    const place = { epoch: lease.epoch, ...head, decidedAtMs: this.#clock() };
    const after = await appendLink(session, shard, place, statement);
    lease.state.apply({ merchants: [], systems: [], references: [], newReferences: new Set(), head: after });
  }

  #begin(messages: readonly IncomingMessage[], position: StreamPosition): PreparedBatch {
    const valid = messages.flatMap((message) =>
      message.parsed.ok ? [{ message, request: message.parsed.request }] : [],
    );
    const decided = this.#lookUpAndDecide(valid, position);
    // A failure is handled where the batch is written, which may be later.
    decided.catch(() => undefined);
    return { messages, valid, decided };
  }

  async #lookUpAndDecide(valid: readonly ValidMessage[], position: StreamPosition): Promise<DecidedBatch> {
    const { lookUpSession, shard, lease } = this.#options;
    const requests = valid.map(({ request }) => request);
    // The look-up may not see a batch that was in flight when it was sent.
    const ahead = this.#inFlight.at(-1);
    const found = await findKnown(lookUpSession, shard, lease.state, requests);
    return this.#decide(requests, ahead ? knownBehind(found, ahead) : found, position);
  }

  #decide(requests: readonly LedgerRequest[], known: KnownRecords, position: StreamPosition): DecidedBatch {
    const { shard, lease } = this.#options;
    const { state, epoch } = lease;
    const outcome = apply(shard, state, known, requests, { atMs: this.#clock(), newEntryId: this.#newEntryId });
    const statement = batchStatement(state, { shard, epoch, position, outcome });
    const decided = { requests, known, outcome, statement, rollBack: state.apply(outcome.change) };
    this.#inFlight.push(decided);
    return decided;
  }

  /**
   * A batch that cannot be written as a whole is written command by command, so that one command does not stop the
   * rest.
   */
  async #commitAll(batch: PreparedBatch, last: IncomingMessage, onSent?: () => void): Promise<Answer[]> {
    try {
      return await this.#commit(batch, onSent);
    } catch (error) {
      const [first] = batch.messages;
      if (!isPoison(error) && !(first && this.#isSuspect(first))) throw error;
      await this.#rollBackInFlight();
    }
    const answers: Answer[] = [];
    for (const { message } of batch.valid) {
      try {
        answers.push(...(await this.#commit(this.#begin([message], message.position))));
      } catch (error) {
        if (!isPoison(error) && !this.#isSuspect(message)) throw error;
        await this.#rollBackInFlight();
        await this.#options.deadLetter(message, error instanceof Error ? error.message : String(error));
      }
    }
    return [...answers, ...(await this.#commit(this.#begin([], last.position)))];
  }

  async #commit({ valid, decided }: PreparedBatch, onSent?: () => void): Promise<Answer[]> {
    const { session, lease, clock } = this.#options;
    const { outcome, statement } = await decided;
    await writeBatch(session, statement, clock, onSent);
    this.#inFlight.shift();
    if (!this.#upcoming) lease.state.boundMemory();
    return valid.flatMap(({ message, request }, index) => {
      const result = outcome.answers[index];
      return result ? [{ message, command: request.command, result }] : [];
    });
  }

  /** Returns to the committed state. A batch that was prepared on top of it has to be prepared again. */
  async #rollBackInFlight(): Promise<void> {
    const upcoming = this.#upcoming;
    this.#upcoming = undefined;
    await upcoming?.decided.catch(() => undefined);
    for (const { rollBack } of this.#inFlight.toReversed()) rollBack();
    this.#inFlight = [];
  }

  #isSuspect(message: IncomingMessage): boolean {
    return this.#options.isSuspect?.(message) ?? false;
  }

  async #reject(message: IncomingMessage, parsed: Extract<ParsedCommand, { ok: false }>): Promise<Answer[]> {
    await this.#options.deadLetter(message, parsed.reason);
    if (parsed.commandId === null) return [];
    return [{ message, command: null, result: invalidCommandResult(parsed.commandId, parsed.field) }];
  }
}
