import { setTimeout as sleep } from 'node:timers/promises';
import { counter, gauge, type Logger } from '@gateway/runtime';
import { shardLabel, type Shard } from '#src/shards.ts';
import { incarnationFor, type ApprovedIncarnation } from '#src/witnesses/incarnation.ts';
import { hear, type ChainReader, type Contradiction, type Witness } from '#src/witnesses/witness.ts';

/** Between two rounds of questions while none has been answered. */
const askAgainMs = 250;
/** Between two questions to a witness that had not answered when the lease began. */
const askLateMs = 2_000;
/** The same to one outside, which is another company's. */
const askOutsideLateMs = 15_000;
/** A refusal is repeated more often than this. A writer that has become the standby of another one repeats none. */
const refusalLastsMs = 20_000;

const withoutWitness = counter(
  'gateway_ledger_unwitnessed_total',
  'Times a writer began to decide although no witness of its chain answered',
  ['shard'],
);

/** A witness has seen links that the chain has lost, or had otherwise. Nothing may be decided on such a chain. */
export class LedgerBehindError extends Error {
  constructor(shard: Shard, contradictions: readonly Contradiction[]) {
    const seen = contradictions.map(({ witness, disagreement, seen: { incarnation, sequence } }) => {
      return `${witness} ${disagreement === 'ahead' ? 'has seen' : 'has seen another'} link ${incarnation}/${sequence}`;
    });
    super(`the chain of ${shardLabel(shard)} is not the one its witnesses have seen: ${seen.join(', ')}`);
    this.name = 'LedgerBehindError';
  }
}

export interface ShardWitnessesOptions {
  readonly shard: Shard;
  readonly witnesses: readonly Witness[];
  /** Asked once when a lease begins, and again later while they do not answer. They are not waited for. */
  readonly outside?: readonly Witness[];
  /** How long a writer waits for a first answer before it decides without one. */
  readonly waitMs: number;
  readonly logger: Logger;
}

/**
 * What other services have seen of a shard's chain. A writer hears them before it decides: a database that was restored
 * from a backup, or a standby that had not received the last commits, is sound in itself and shows its loss by nothing
 * else.
 */
export class ShardWitnesses implements Disposable {
  readonly #options: ShardWitnessesOptions;
  readonly #gauge: Disposable;
  #silent: readonly Witness[] = [];
  #silentOutside: readonly Witness[] = [];
  #behind: { readonly error: LedgerBehindError; readonly atMs: number } | undefined;

  constructor(options: ShardWitnessesOptions) {
    this.#options = options;
    const labels = { shard: shardLabel(options.shard) };
    withoutWitness.add(0, labels);
    const help = 'Whether nothing is decided because witnesses have seen links that the chain does not have';
    this.#gauge = gauge('gateway_ledger_behind_witnesses', help, () => (this.#refusal() ? 1 : 0), labels);
  }

  [Symbol.dispose](): void {
    this.#gauge[Symbol.dispose]();
  }

  /** @throws LedgerBehindError while the shard is not decided for that reason */
  requireAgreement(): void {
    const refusal = this.#refusal();
    if (refusal) throw refusal;
  }

  /**
   * Asks until one has answered, or for `waitMs`. PostgreSQL ends a session that is silent for long, so each round reads
   * from it.
   *
   * @returns the incarnation that operators have approved for what the witnesses contradict, whose link is to be written
   * @throws LedgerBehindError
   */
  async hear(session: ChainReader, signal: AbortSignal): Promise<ApprovedIncarnation | undefined> {
    const { shard, witnesses, outside = [], waitMs, logger } = this.#options;
    const startedAt = performance.now();
    for (let round = 1; ; round += 1) {
      // What is outside is no answer of ours: with its word alone the witnesses within are waited for all the same.
      const asked = round === 1 ? [...witnesses, ...outside] : witnesses;
      const { contradictions, silent: unheard } = await hear(asked, shard, session);
      const silent = witnesses.filter((witness) => unheard.includes(witness));
      this.#silent = silent;
      if (round === 1) this.#silentOutside = outside.filter((witness) => unheard.includes(witness));
      if (contradictions.length > 0) return await this.#approvedFor(contradictions, session);
      if (silent.length < witnesses.length || witnesses.length === 0) break;
      if (performance.now() - startedAt >= waitMs) {
        withoutWitness.add(1, { shard: shardLabel(shard) });
        logger.error({ shard: shardLabel(shard) }, 'no witness of the chain answers; it is believed as it is');
        break;
      }
      await sleep(askAgainMs, undefined, { signal });
      await session.query('select 1', []);
    }
    this.#behind = undefined;
    return undefined;
  }

  /**
   * Asks those who had not answered until each has, or the lease ends.
   *
   * @throws LedgerBehindError when one of them has seen what the chain does not have
   */
  async hearLate(session: ChainReader, signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#hearSilent(this.#silent, askLateMs, session, signal),
      this.#hearSilent(this.#silentOutside, askOutsideLateMs, session, signal),
    ]);
  }

  async #hearSilent(
    asked: readonly Witness[],
    everyMs: number,
    session: ChainReader,
    signal: AbortSignal,
  ): Promise<void> {
    for (let left = asked; left.length > 0 && !signal.aborted;) {
      await sleep(everyMs, undefined, { signal });
      const { contradictions, silent } = await hear(left, this.#options.shard, session);
      if (contradictions.length > 0) throw this.#becomeBehind(contradictions);
      left = silent;
    }
  }

  async #approvedFor(contradictions: readonly Contradiction[], session: ChainReader): Promise<ApprovedIncarnation> {
    const approved = await incarnationFor(contradictions, this.#options.shard, session);
    if (!approved) throw this.#becomeBehind(contradictions);
    this.#behind = undefined;
    return approved;
  }

  #becomeBehind(contradictions: readonly Contradiction[]): LedgerBehindError {
    const error = new LedgerBehindError(this.#options.shard, contradictions);
    this.#behind = { error, atMs: performance.now() };
    return error;
  }

  #refusal(): LedgerBehindError | undefined {
    const isRecent = this.#behind && performance.now() - this.#behind.atMs < refusalLastsMs;
    return isRecent ? this.#behind?.error : undefined;
  }
}
