import { idSequence, type LedgerCommand, type LedgerResult } from '@gateway/contracts';
import type { IncomingMessage } from '#src/intake/incoming-message.ts';
import type { LedgerRequest } from '#src/chain/canonical-request.ts';
import type { Reading } from '#src/intake/read-command.ts';
import { apply, type KnownRecords } from '#src/posting/apply.ts';
import type { ShardName } from '#src/shards.ts';
import { invalidCommandResult } from '#src/posting/decision.ts';
import { decisionClock } from '#src/writer/decision-clock.ts';
import { findKnown } from '#src/writer/find-known.ts';
import { isPoison } from '#src/writer/poison.ts';
import type { ShardTenure } from '#src/writer/take-shard.ts';
import { writeBatch } from '#src/writer/write-batch.ts';
import type { Session } from '#src/writer/session.ts';

export interface BatchWriterOptions {
  readonly session: Session;
  readonly shard: ShardName;
  readonly tenure: ShardTenure;
  readonly now: () => number;
  /** Keeps a message that can never be decided, before the cursor passes it. */
  readonly setAside: (message: IncomingMessage, reason: string) => Promise<void>;
}

/** A committed decision and the message it answers. */
export interface Answer {
  readonly message: IncomingMessage;
  readonly command: LedgerCommand | null;
  readonly result: LedgerResult;
}

/** A batch that is being looked up, or has been. */
interface PreparedBatch {
  readonly messages: readonly IncomingMessage[];
  readonly valid: readonly ValidMessage[];
  readonly known: Promise<KnownRecords>;
}

interface ValidMessage {
  readonly message: IncomingMessage;
  readonly request: LedgerRequest;
}

/**
 * Decides and commits batches during one tenure of a shard. After any error but poison its memory is worth nothing:
 * the tenure ends, and the next one starts from what is committed.
 */
export class BatchWriter {
  readonly #options: BatchWriterOptions;
  readonly #newEntryId = idSequence('ledgerEntry');
  readonly #clock: () => number;
  #upcoming: PreparedBatch | undefined;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
    this.#clock = decisionClock(options.now, options.tenure.state.head.decidedAtMs);
  }

  /**
   * Resolves with the answers once everything is committed, the cursor behind the last message included.
   *
   * @param onSent called when the batch is on its way to PostgreSQL; `lookAhead` may be called in it
   */
  async write(messages: readonly IncomingMessage[], onSent?: () => void): Promise<Answer[]> {
    const batch = this.#upcoming?.messages === messages ? this.#upcoming : this.#prepare(messages);
    this.#upcoming = undefined;
    const answers: Answer[] = [];
    for (const message of messages) {
      if (!message.reading.ok) answers.push(...(await this.#turnAway(message, message.reading)));
    }
    const last = messages.at(-1);
    if (!last) return answers;
    return [...answers, ...(await this.#decideAll(batch, last, onSent))];
  }

  /**
   * Sends the look-up of the batch that will be written next behind the commit of this one: the connection carries out
   * both in order, so it sees everything the commit changes.
   */
  lookAhead(messages: readonly IncomingMessage[]): void {
    this.#upcoming = this.#prepare(messages);
  }

  /** To be called while there is nothing to write: the server ends the session of a writer that says nothing. */
  async showLife(): Promise<void> {
    await this.#options.session.query('select 1');
  }

  #prepare(messages: readonly IncomingMessage[]): PreparedBatch {
    const valid = messages.flatMap((message) =>
      message.reading.ok ? [{ message, request: message.reading.request }] : [],
    );
    return { messages, valid, known: this.#find(valid) };
  }

  #find(valid: readonly ValidMessage[]): Promise<KnownRecords> {
    const { session, shard, tenure } = this.#options;
    const requests = valid.map(({ request }) => request);
    const known = findKnown(session, shard, tenure.state, requests);
    // A failure is met where the batch is decided, which may be later.
    known.catch(() => undefined);
    return known;
  }

  /** A batch that cannot be decided as a whole is decided one by one, so that one command holds up no other. */
  async #decideAll(batch: PreparedBatch, last: IncomingMessage, onSent?: () => void): Promise<Answer[]> {
    try {
      return await this.#decide(batch.valid, await batch.known, last, onSent);
    } catch (error) {
      if (!isPoison(error)) throw error;
    }
    const answers: Answer[] = [];
    for (const each of batch.valid) {
      try {
        answers.push(...(await this.#decide([each], await this.#find([each]), each.message)));
      } catch (error) {
        if (!isPoison(error)) throw error;
        await this.#options.setAside(each.message, error instanceof Error ? error.message : String(error));
      }
    }
    // What was looked up ahead does not know of these decisions.
    this.#upcoming = undefined;
    return [...answers, ...(await this.#decide([], await this.#find([]), last))];
  }

  async #decide(
    valid: readonly ValidMessage[],
    known: KnownRecords,
    last: IncomingMessage,
    onSent?: () => void,
  ): Promise<Answer[]> {
    const { session, shard, tenure } = this.#options;
    const { state, epoch } = tenure;
    const moment = { atMs: this.#clock(), newEntryId: this.#newEntryId };
    const requests = valid.map(({ request }) => request);
    const outcome = apply(shard, state, known, requests, moment);
    await writeBatch(session, state, { shard, epoch, position: last.position, outcome, ...(onSent ? { onSent } : {}) });
    state.absorb(outcome.change);
    if (!this.#upcoming) state.boundMemory();
    return valid.flatMap(({ message, request }, index) => {
      const result = outcome.answers[index];
      return result ? [{ message, command: request.command, result }] : [];
    });
  }

  async #turnAway(message: IncomingMessage, reading: Extract<Reading, { ok: false }>): Promise<Answer[]> {
    await this.#options.setAside(message, reading.reason);
    if (reading.commandId === null) return [];
    return [{ message, command: null, result: invalidCommandResult(reading.commandId, reading.field) }];
  }
}
