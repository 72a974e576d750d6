import type { Client } from 'pg';
import type { LedgerCommand, LedgerResult } from '@gateway/contracts/ledger';
import { isConnectionError } from '@gateway/runtime';
import type { IncomingMessage, StreamPosition } from '#src/consumer/incoming-message.ts';
import { safeStart } from '#src/consumer/safe-start.ts';
import { BatchWriter } from '#src/writer/batch-writer.ts';
import { acquireShard } from '#src/writer/shard-lease.ts';
import { FencedError } from '#src/writer/write-batch.ts';
import { WriterClock } from '#src/writer/writer-clock.ts';
import { anyDifferenceMs } from '../support/direct-ledger.ts';
import { faultySession, type FaultySession } from './faulty-session.ts';
import type { SeededRandom } from './seeded-random.ts';
import { SimulatedStream } from './simulated-stream.ts';

const shard = { environment: 'test', shard: 0 };
const batchMax = 6;
/** Steps with faults; afterwards the world is kind, so that every question can be answered. */
const faultySteps = 60;
const stepsMax = 3_000;

/** What one sender wants to know; it asks until it is answered. */
export interface Question {
  readonly command: LedgerCommand;
  readonly answers: LedgerResult[];
}

interface Writer {
  readonly session: FaultySession;
  readonly batches: BatchWriter;
  position: StreamPosition;
  next: number;
  generation: number;
}

/** What happened, to know that a run tested something. */
export const faultNames = ['broken', 'killed', 'tailLost', 'zombie', 'replyDropped', 'duplicate', 'fenced'] as const;
export type FaultCounts = Record<(typeof faultNames)[number], number>;

/** Senders, a broker, a writer and its standby on one real database; chance decides what happens next. */
export class World {
  readonly faults: FaultCounts = {
    broken: 0,
    killed: 0,
    tailLost: 0,
    zombie: 0,
    replyDropped: 0,
    duplicate: 0,
    fenced: 0,
  };
  readonly #stream = new SimulatedStream();
  readonly #questions: readonly Question[];
  readonly #random: SeededRandom;
  readonly #clients: readonly Client[];
  #nowMs: number;
  #asked = 0;
  #steps = 0;
  #writer: Writer | undefined;
  #zombie: Writer | undefined;
  #clientsUsed = 0;

  constructor(questions: readonly Question[], random: SeededRandom, clients: readonly Client[], startMs: number) {
    this.#questions = questions;
    this.#random = random;
    this.#clients = clients;
    this.#nowMs = startMs;
  }

  /** Runs until every question has its answer. */
  async run(): Promise<void> {
    while (this.#unanswered().length > 0) {
      if (++this.#steps > stepsMax) throw new Error(`${this.#unanswered().length} questions were never answered`);
      this.#nowMs += this.#random.between(1, 2_000);
      await this.#step();
    }
    await this.#writer?.session.end();
    await this.#zombie?.session.end();
  }

  get #faulty(): boolean {
    return this.#steps < faultySteps;
  }

  #chance(probability: number): boolean {
    return this.#faulty && this.#random.chance(probability);
  }

  #unanswered(): Question[] {
    return this.#questions.filter((question) => question.answers.length === 0);
  }

  async #step(): Promise<void> {
    if (this.#random.chance(0.4)) return this.#ask();
    if (this.#chance(0.05)) return this.#loseTail();
    if (this.#chance(0.08)) return await this.#kill();
    if (this.#chance(0.05)) return await this.#makeZombie();
    if (this.#zombie && this.#random.chance(0.3)) return await this.#zombieWrites(this.#zombie);
    try {
      if (!this.#writer) this.#writer = await this.#takeOver();
      else await this.#read(this.#writer);
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      this.faults.broken++;
      await this.#kill();
    }
  }

  /** A new question, or one again that has no answer yet; the network may carry it twice. */
  #ask(): void {
    const next = this.#questions[this.#asked];
    const again = this.#random.pick(
      this.#questions.slice(0, this.#asked).filter(({ answers }) => answers.length === 0),
    );
    const question = again && this.#random.chance(next ? 0.3 : 1) ? again : next;
    if (!question) return;
    if (question === next) this.#asked++;
    const copies = this.#chance(0.15) ? 2 : 1;
    this.faults.duplicate += copies - 1;
    for (let copy = 0; copy < copies; copy++) this.#stream.store(question.command, this.#nowMs);
  }

  #loseTail(): void {
    this.#stream.loseTail(this.#random.between(1, 10));
    this.faults.tailLost++;
  }

  async #kill(): Promise<void> {
    await this.#writer?.session.end();
    this.#writer = undefined;
    this.faults.killed++;
  }

  /** The writer is replaced while it believes to be the one. */
  async #makeZombie(): Promise<void> {
    if (!this.#writer || this.#zombie) return;
    this.#zombie = this.#writer;
    this.#writer = undefined;
    await this.#zombie.session.loseLock();
    this.faults.zombie++;
  }

  async #zombieWrites(zombie: Writer): Promise<void> {
    try {
      await this.#read(zombie);
      if (!this.#writer) return;
    } catch (error) {
      if (error instanceof FencedError) this.faults.fenced++;
      else if (!isConnectionError(error)) throw error;
    }
    this.#zombie = undefined;
  }

  async #takeOver(): Promise<Writer> {
    const client = this.#clients[this.#clientsUsed++ % this.#clients.length];
    if (!client) throw new Error('a world needs connections');
    const session = faultySession(client, this.#random, () => (this.#faulty ? 0.03 : 0));
    try {
      const lease = await acquireShard(session, shard, new AbortController().signal);
      const { position } = lease;
      const deadLetter = () => Promise.reject(new Error('a valid command was set aside'));
      const batches = new BatchWriter({
        session,
        lookUpSession: session,
        shard,
        lease,
        clock: new WriterClock({ now: () => this.#nowMs, limitMs: anyDifferenceMs }),
        deadLetter,
      });
      return await this.#reopen({ session, batches, position, next: 0, generation: 0 });
    } catch (error) {
      await session.end();
      throw error;
    }
  }

  async #reopen(writer: Writer): Promise<Writer> {
    const start = await safeStart(this.#stream.reader, 'simulated', writer.position);
    writer.next = this.#stream.firstSequence(start);
    writer.generation = this.#stream.generation;
    return writer;
  }

  async #read(writer: Writer): Promise<void> {
    if (writer.generation !== this.#stream.generation) await this.#reopen(writer);
    await this.#write(writer);
  }

  /** @param messages of a batch that was looked up ahead; otherwise whatever is stored */
  async #write(writer: Writer, messages = this.#stream.read(writer.next, this.#random.between(1, batchMax))) {
    const last = messages.at(-1);
    if (!last) return;
    // As the shard's writer does under load: the next batch is decided while this one is being committed.
    let ahead: IncomingMessage[] = [];
    const onSent = () => {
      if (!this.#random.chance(0.5)) return;
      ahead = this.#stream.read(last.position.sequence + 1, batchMax);
      if (ahead.length > 0) writer.batches.prepare(ahead);
    };
    const answers = await writer.batches.write(messages, onSent);
    writer.next = last.position.sequence + 1;
    writer.position = last.position;
    for (const { message, result } of answers) this.#deliver(message.text, result);
    if (ahead.length > 0) await this.#write(writer, ahead);
  }

  #deliver(text: string, result: LedgerResult): void {
    if (this.#chance(0.15)) {
      this.faults.replyDropped++;
      return;
    }
    for (const question of this.#questions) {
      if (JSON.stringify(question.command) === text) question.answers.push(result);
    }
  }
}
