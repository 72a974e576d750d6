import {
  getLedgerSeenByDeposits,
  getLedgerSeenByGateway,
  getLedgerSeenByPayouts,
  getLedgerSeenByReconciler,
  isBeyond,
  type ChainLink,
  type LedgerWitness,
} from '@gateway/contracts/ledger';
import type { Database, SqlMigration } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import { answering, type RpcRoute } from '#src/rpc/serve-rpc.ts';

/** The question to each witness. */
export const ledgerSeenRpcs = {
  deposits: getLedgerSeenByDeposits,
  payouts: getLedgerSeenByPayouts,
  'api-gateway': getLedgerSeenByGateway,
  reconciler: getLedgerSeenByReconciler,
} as const satisfies Record<LedgerWitness, unknown>;

/** Of a service that is a witness of the ledger; at the end of its own migrations. */
export const ledgerSeenTable: SqlMigration = {
  name: 'kit-ledger-seen-0001',
  sql: `
    -- The highest link of each shard that the ledger has answered with: it had that link then.
    create table ledger_seen (
      environment text collate "C" not null check (environment in ('live', 'test')),
      shard smallint not null,
      incarnation integer not null,
      sequence bigint not null,
      hash bytea not null,
      at timestamptz(3) not null default clock_timestamp(),
      primary key (environment, shard)
    ) with (fillfactor = 20);
  `,
};

/** Between two writes. A row per answer would be one hot row in every transaction. */
const writeIntervalMs = 1_000;

/** Several processes of the service write the row, each what it has seen: the highest stays. */
const keepSql = `
  insert into ledger_seen (environment, shard, incarnation, sequence, hash)
  values ($1, $2, $3, $4, decode($5, 'hex'))
  on conflict (environment, shard) do update set incarnation = excluded.incarnation, sequence = excluded.sequence,
    hash = excluded.hash, at = excluded.at
  where (ledger_seen.incarnation, ledger_seen.sequence) < (excluded.incarnation, excluded.sequence)`;

const readSql = `
  select shard, incarnation, sequence, encode(hash, 'hex') as hash from ledger_seen
  where environment = $1 and shard = $2`;

interface Seen {
  readonly environment: string;
  readonly link: ChainLink;
}

export interface LedgerSeenOptions {
  readonly service: LedgerWitness;
  readonly database: Database;
  readonly logger: Logger;
}

/**
 * Keeps the highest link of each shard that the ledger has answered this service with. A ledger that has lost the end of
 * its chain shows less than that, and asks for it before it decides anything.
 *
 * What was seen is written at most once a second. A process that dies before that leaves a witness that is up to a second
 * behind: it proves less, and nothing wrong.
 */
export class LedgerSeen implements AsyncDisposable {
  readonly #options: LedgerSeenOptions;
  readonly #highest = new Map<string, Seen>();
  readonly #unwritten = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: LedgerSeenOptions) {
    this.#options = options;
  }

  /** Answers the ledger what this process and the others of the service have seen. */
  get route(): RpcRoute {
    return answering(ledgerSeenRpcs[this.#options.service], async ({ environment, shard }) => {
      const [stored] = await this.#options.database.query<ChainLink>(readSql, [environment, shard], 'ledger-seen');
      const here = this.#highest.get(keyOf(environment, shard))?.link;
      if (here && (!stored || isBeyond(here, stored))) return { seen: here };
      return { seen: stored ?? null };
    });
  }

  saw(environment: string, link: ChainLink): void {
    const key = keyOf(environment, link.shard);
    const highest = this.#highest.get(key);
    if (highest && !isBeyond(link, highest.link)) return;
    this.#highest.set(key, { environment, link });
    this.#unwritten.add(key);
    this.#timer ??= setTimeout(() => this.#write(), writeIntervalMs).unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    await this.#writeUnwritten();
  }

  #write(): void {
    this.#writing = this.#writeUnwritten().finally(() => {
      this.#timer = this.#unwritten.size > 0 ? setTimeout(() => this.#write(), writeIntervalMs).unref() : undefined;
    });
  }

  async #writeUnwritten(): Promise<void> {
    const { database, logger } = this.#options;
    for (const key of [...this.#unwritten]) {
      const seen = this.#highest.get(key);
      if (!seen) continue;
      const { shard, incarnation, sequence, hash } = seen.link;
      try {
        await database.query(keepSql, [seen.environment, shard, incarnation, sequence, hash], 'keep-ledger-seen');
        if (this.#highest.get(key) === seen) this.#unwritten.delete(key);
      } catch (error) {
        logger.warn({ err: error, shard: key }, 'what was seen of the ledger could not be written; it is tried again');
      }
    }
  }
}

function keyOf(environment: string, shard: number): string {
  return `${environment}.${shard}`;
}
