import { streams, streamKeeper, type StreamContract } from '@gateway/contracts/broker';
import { ledgerWitnesses, type LedgerWitness } from '@gateway/contracts/ledger';
import type { ServiceName } from '@gateway/contracts/messages';
import { DueWork, openDatabase, type Database, type DatabaseOptions, type DueWorker } from '@gateway/persistence';
import {
  startLoop,
  type Logger,
  type Loop,
  type LoopOptions,
  type SecretBox,
  type ServiceContext,
} from '@gateway/runtime';
import { busSettings, type BusConfig } from '#src/bus/bus-settings.ts';
import { connectBus, type Bus } from '#src/bus/bus.ts';
import { keepRoomInStreams } from '#src/bus/stream-room.ts';
import { ensureStreams, keepStreams } from '#src/bus/streams.ts';
import type { WatchedLag } from '#src/consumer/consumer-lag.ts';
import { startConsumer, type ConsumerOptions } from '#src/consumer/consumer.ts';
import { deadLetterRoutes } from '#src/consumer/dead-letter-routes.ts';
import { LedgerCommandClient } from '#src/ledger-client/ledger-command-client.ts';
import { LedgerSeen } from '#src/ledger-client/ledger-seen.ts';
import { startOutboxRelay } from '#src/outbox/relay.ts';
import { attentionRoute, type AttentionQuery } from '#src/rpc/attention-route.ts';
import { backlogRoute, type BacklogQuery } from '#src/rpc/backlog-route.ts';
import { healthRoute } from '#src/rpc/health-route.ts';
import { messageLagRoute } from '#src/rpc/message-lag-route.ts';
import { serveRpc, type RpcRoute } from '#src/rpc/serve-rpc.ts';

export interface RuntimeOptions {
  readonly service: ServiceName;
  readonly config: BusConfig & { readonly DATABASE_URL: string };
  readonly database: Pick<DatabaseOptions, 'entities' | 'migrations' | 'poolMax' | 'sessionSettings'>;
  /** Seals what crosses the bus with secrets in it, where the service sends or receives any. */
  readonly secrets?: SecretBox;
}

/** A loop of a service's table of workers; the runtime adds what is the same for all. */
export type Worker = Omit<LoopOptions, 'logger'>;

/** A reader of a service's table of consumers; the runtime adds what is the same for all. */
export type Consumer = Omit<ConsumerOptions, 'bus' | 'database' | 'logger'>;

/**
 * Connects a service to its database and to the broker, and starts what every service does: it reports both as
 * readiness checks, publishes its outbox, and keeps room in the streams it owns. What is started is registered in the
 * given stack, and ends in reverse order. Resolves when both answer, however long that takes.
 *
 * @throws the reason of `context.signal` when the process is to stop before that
 */
export async function startRuntime(
  stack: AsyncDisposableStack,
  context: ServiceContext,
  options: RuntimeOptions,
): Promise<ServiceRuntime> {
  const { logger, readiness, signal, neighbours } = context;
  const { service, config, secrets } = options;
  const tls = config.INTERNAL_TLS_DIR;
  const database = stack.use(
    await openDatabase({ ...options.database, url: config.DATABASE_URL, tls, logger, signal }),
  );
  readiness.add('database', () => database.ping());
  const connection = { ...busSettings(config), name: service, secrets, logger, signal, neighbours };
  const bus = stack.use(await connectBus(connection));
  readiness.add('bus', () => bus.ping());
  if (service === streamKeeper) {
    await ensureStreams(bus, Object.values(streams), logger);
    stack.use(keepStreams(bus, Object.values(streams), logger));
  }
  const owned = Object.values<StreamContract>(streams).filter(({ owner }) => owner === service);
  const refusing = owned.filter(({ whenFull }) => whenFull === 'refuse');
  if (refusing.length > 0) stack.use(keepRoomInStreams(bus, refusing, logger));
  if (owned.length > 0) stack.use(startOutboxRelay({ database, bus, logger }));
  return new ServiceRuntime(stack, context, { service, database, bus });
}

/** A service's connections, and the ways in which it starts its own work on them. */
export class ServiceRuntime {
  readonly database: Database;
  readonly bus: Bus;
  readonly logger: Logger;
  readonly #service: ServiceName;
  readonly #stack: AsyncDisposableStack;
  readonly #context: ServiceContext;
  readonly #consumers: WatchedLag[] = [];
  #dueWork: DueWork | undefined;
  #ledgerSeen: LedgerSeen | undefined;

  constructor(
    stack: AsyncDisposableStack,
    context: ServiceContext,
    { service, database, bus }: { readonly service: ServiceName; readonly database: Database; readonly bus: Bus },
  ) {
    this.#stack = stack;
    this.#context = context;
    this.#service = service;
    this.database = database;
    this.bus = bus;
    this.logger = context.logger;
  }

  /**
   * Sends commands to the ledger and waits for their results. To be called before `serve`: a service that is a witness of
   * the ledger keeps what its answers show of the chain, and answers the ledger when it asks for that.
   */
  connectLedger(): LedgerCommandClient {
    const seen = this.witnessLedger();
    return this.#stack.use(new LedgerCommandClient(this.bus, seen && ((...link) => seen.saw(...link))));
  }

  /**
   * Keeps what a service that is a witness of the ledger has seen of the chain, and answers the ledger when it asks for that.
   * To be called before `serve`. Undefined for a service that is no witness.
   */
  witnessLedger(): LedgerSeen | undefined {
    if (!isWitness(this.#service)) return undefined;
    const { database, logger } = this;
    this.#ledgerSeen ??= this.#stack.use(new LedgerSeen({ service: this.#service, database, logger }));
    return this.#ledgerSeen;
  }

  startWorkers(workers: readonly Worker[]): readonly Loop[] {
    return workers.map((worker) => this.#stack.use(startLoop({ ...worker, logger: this.logger })));
  }

  /** Wakes what is due in the service's database. */
  get dueWork(): DueWork {
    this.#dueWork ??= this.#stack.use(new DueWork(this));
    return this.#dueWork;
  }

  startDueWorkers(workers: readonly DueWorker[]): readonly Loop[] {
    return workers.map((worker) => this.#stack.use(this.dueWork.start(worker)));
  }

  startConsumers(consumers: readonly Consumer[]): void {
    const { bus, database, logger } = this;
    for (const consumer of consumers) {
      this.#consumers.push(this.#stack.use(startConsumer({ ...consumer, bus, database, logger })));
    }
  }

  /**
   * Answers the service's rpc table and what every service is asked: its dead letters, what waits for an operator, what it has
   * to work off, how far its messages are behind, and its health.
   */
  async serve(
    routes: readonly RpcRoute[],
    waiting: readonly AttentionQuery[] = [],
    underWay: readonly BacklogQuery[] = [],
  ): Promise<void> {
    const deadLetters = deadLetterRoutes(this.database, this.#service);
    const attention = attentionRoute(this.database, this.#service, waiting);
    const backlog = backlogRoute(this.database, this.#service, underWay);
    const lag = messageLagRoute(this.database, this.#service, () => this.#consumers.map((each) => each.lag));
    const health = healthRoute(this.#context.readiness, this.#service);
    const seen = this.#ledgerSeen ? [this.#ledgerSeen.route] : [];
    this.#stack.use(
      await serveRpc(this.bus, [...routes, ...seen, ...deadLetters, attention, backlog, lag, health], this.logger),
    );
  }
}

function isWitness(service: ServiceName): service is LedgerWitness {
  return ledgerWitnesses.some((witness) => witness === service);
}
