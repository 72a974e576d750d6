import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { createInbox, headers as createHeaders, type MsgHdrs, type NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import {
  gauge,
  type Logger,
  type Neighbours,
  type QuestionHeaders,
  type SecretBox,
  type TraceCarrier,
  untilReachable,
} from '@gateway/runtime';
import { askNeighbour } from '#src/bus/ask-neighbour.ts';
import { Requests, type BusAnswer, type BusRequest, type RequestFailure } from '#src/bus/requests.ts';

const reconnectWaitMs = 250;
const pingIntervalMs = 5_000;
const drainTimeoutMs = 3_000;
/** A consumer between two leaders does not answer, so it is asked again soon. Publishing has a timeout of its own. */
const consumerAnswerTimeoutMs = 2_000;

export interface BusOptions {
  readonly url: string;
  /** Of the service: shown in the server's connection list, and what its inboxes begin with. */
  readonly name: string;
  readonly logger: Logger;
  readonly signal?: AbortSignal;
  /**
   * Whom to believe that it is the broker, and whether TLS comes before anything else; undefined: no TLS is asked for.
   */
  readonly tls?: { readonly ca: string; readonly first: boolean } | undefined;
  /** Seals and opens what is asked and answered with secrets in it; undefined where there is nothing of that. */
  readonly secrets?: SecretBox | undefined;
  /** Copies of every stream this process owns; 1 by default. */
  readonly streamReplicas?: number;
  /** Services of this process, which are asked without the broker. */
  readonly neighbours?: Neighbours | undefined;
}

export interface PublishOptions {
  readonly messageId: string;
  readonly trace: TraceCarrier;
  readonly timeoutMs: number;
}

/** What can be asked: the connection for any length of time, or for as long as one request of ours still has. */
export interface Askable {
  /** False while the server is away: what would be asked now would only wait for its deadline. */
  readonly connected: boolean;
  readonly secrets: SecretBox | undefined;
  request(request: BusRequest): Promise<BusAnswer | RequestFailure>;
  /** Milliseconds until the caller's deadline. */
  leftMs(): number;
}

/** This process's connection to NATS. It reconnects forever; a request in between fails at its own deadline. */
export class Bus implements Askable, AsyncDisposable {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly streamReplicas: number;
  readonly secrets: SecretBox | undefined;
  readonly neighbours: Neighbours | undefined;
  readonly #name: string;
  readonly #inboxPrefix: string;
  readonly #requests: Requests;
  readonly #onReconnect = new Set<() => void>();
  readonly #gauge = gauge('gateway_bus_connected', 'Whether the broker is there', () => Number(this.#connected));
  #connected = true;
  #turn: Promise<void> | undefined;

  constructor(
    connection: NatsConnection,
    manager: JetStreamManager,
    { name, logger, secrets, streamReplicas = 1, neighbours }: BusOptions,
  ) {
    this.connection = connection;
    this.jetstream = jetstream(connection, { timeout: consumerAnswerTimeoutMs });
    this.manager = manager;
    this.streamReplicas = streamReplicas;
    this.secrets = secrets;
    this.neighbours = neighbours;
    this.#name = name;
    this.#inboxPrefix = inboxPrefixOf(name);
    this.#requests = new Requests(connection, this.inbox('rpc'));
    void this.#watch(logger);
  }

  /**
   * A subject of this process alone for answers to one family of questions. The broker lets a service subscribe to
   * its own inboxes only, and lets others answer into the families that they are asked through.
   */
  inbox(family: InboxFamily): string {
    return createInbox(`${this.#inboxPrefix}.${family}`);
  }

  /**
   * Stores a message in its stream; resolves when JetStream has it. A repeated id within the window is dropped there.
   */
  async publish(subject: string, payload: string | Uint8Array, options: PublishOptions): Promise<void> {
    await this.jetstream.publish(subject, payload, {
      msgID: options.messageId,
      headers: headersFrom(options.trace),
      timeout: options.timeoutMs,
    });
  }

  /** Sends a request to the listeners of a subject; resolves with the first answer, or the reason why there is none. */
  async request(request: BusRequest): Promise<BusAnswer | RequestFailure> {
    const neighbour = this.neighbours?.find(request.subject, this.#name);
    if (neighbour) return await askNeighbour(neighbour, request);
    await this.endOfTurn();
    return await this.#requests.request(request);
  }

  get connected(): boolean {
    return this.#connected;
  }

  /**
   * Resolves at the end of this turn of the event loop, for all who wait for it at once. What they send then leaves in
   * one write: under load the writes to the socket, one per message, cost more than the messages.
   */
  endOfTurn(): Promise<void> {
    this.#turn ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#turn = undefined;
        resolve();
      });
    });
    return this.#turn;
  }

  leftMs(): number {
    return Infinity;
  }

  /** For one request of ours, however many questions it asks: what one of them has taken the next does not have. */
  within(timeoutMs: number, nowMs = () => performance.now()): TimedBus {
    return new TimedBus(this, nowMs() + timeoutMs, nowMs);
  }

  /** Runs after every reconnection: a broker that came back may have lost what was set up on it. */
  onReconnect(hook: () => void): void {
    this.#onReconnect.add(hook);
  }

  async ping(): Promise<void> {
    await this.connection.flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#gauge[Symbol.dispose]();
    if (this.connection.isClosed()) return;
    const drained = this.connection.drain();
    const gaveUp = new Promise<void>((resolve) => setTimeout(resolve, drainTimeoutMs).unref());
    await Promise.race([drained, gaveUp]);
    if (!this.connection.isClosed()) await this.connection.close();
  }

  async #watch(logger: Logger): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'error') logger.error({ err: status.error }, 'NATS refused something');
      if (status.type === 'disconnect') {
        this.#connected = false;
        logger.warn('NATS connection lost');
      }
      if (status.type !== 'reconnect') continue;
      this.#connected = true;
      logger.info('NATS connection is back');
      for (const hook of this.#onReconnect) hook();
    }
  }
}

/** The connection for as long as one request has time. */
export class TimedBus implements Askable {
  /** For what goes on after the request was answered. */
  readonly unhurried: Bus;
  readonly #deadlineMs: number;
  readonly #nowMs: () => number;

  constructor(bus: Bus, deadlineMs: number, nowMs: () => number) {
    this.unhurried = bus;
    this.#deadlineMs = deadlineMs;
    this.#nowMs = nowMs;
  }

  get connected(): boolean {
    return this.unhurried.connected;
  }

  get secrets(): SecretBox | undefined {
    return this.unhurried.secrets;
  }

  request(request: BusRequest): Promise<BusAnswer | RequestFailure> {
    return this.unhurried.request(request);
  }

  leftMs(): number {
    return this.#deadlineMs - this.#nowMs();
  }
}

/** Waits until NATS with JetStream answers. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  return await untilReachable({
    what: 'NATS',
    logger: options.logger,
    ...(options.signal ? { signal: options.signal } : {}),
    connect: async () => {
      const connection = await connect({
        ...serverOf(options.url),
        name: options.name,
        inboxPrefix: inboxPrefixOf(options.name),
        maxReconnectAttempts: -1,
        reconnectTimeWait: reconnectWaitMs,
        pingInterval: pingIntervalMs,
        // A stack trace per request, taken in case it fails, costs more than the request.
        noAsyncTraces: true,
        ...(options.tls ? { tls: { ca: options.tls.ca, handshakeFirst: options.tls.first } } : {}),
      });
      try {
        requireEncryption(connection, options);
        return new Bus(connection, await jetstreamManager(connection), options);
      } catch (error) {
        await connection.close();
        throw error;
      }
    },
  });
}

/** What is answered: questions to services, commands, and messages that a stream has stored. */
export type InboxFamily = 'rpc' | 'ask' | 'outbox';

function inboxPrefixOf(service: string): string {
  return `_INBOX.${service}`;
}

/** The client goes on in clear with a broker that offers no TLS. */
function requireEncryption({ info }: NatsConnection, { tls }: BusOptions): void {
  if (tls && !tls.first && info?.tls_required !== true) throw new Error('the broker does not insist on TLS');
}

/** The client ignores credentials inside a URL; they are passed beside it. */
function serverOf(text: string): { servers: string[]; user?: string; pass?: string } {
  const urls = text.split(',').map((part) => new URL(part.includes('://') ? part : `nats://${part}`));
  const servers = urls.map(({ host }) => host);
  const { username = '', password = '' } = urls[0] ?? {};
  if (username === '') return { servers };
  return { servers, user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}

export function headersFrom(members: Readonly<Record<string, string>>): MsgHdrs {
  const result = createHeaders();
  for (const [name, value] of Object.entries(members)) result.set(name, value);
  return result;
}

/** Header members as a plain object. NATS header names are case-sensitive; a missing one reads as an empty string. */
export function membersOf(headers: QuestionHeaders | undefined): Record<string, string> {
  const members: Record<string, string> = {};
  if (!headers) return members;
  for (const [name, values] of headers) members[name] = values[0] ?? '';
  return members;
}
