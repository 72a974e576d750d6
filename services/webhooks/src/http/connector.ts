import diagnosticsChannel from 'node:diagnostics_channel';
import { isIP, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { buildConnector } from 'undici';
import type { ConnectionTimings } from '#src/http/attempt.ts';
import type { AddressPolicy } from '#src/http/address-policy.ts';
import { refuseAddress, type GuardedResolver } from '#src/http/guarded-resolver.ts';

const connectTimeoutMs = 2_500;
const sessionsMax = 2_000;

export interface ConnectorOptions {
  readonly policy: AddressPolicy;
  readonly resolver: GuardedResolver;
  /** Further certificate authorities. */
  readonly tls?: Pick<ConnectionOptions, 'ca'>;
}

/** How a connection was made. */
export interface ConnectionFacts {
  readonly timings: ConnectionTimings;
  /** Calls the connection has carried. */
  calls: number;
}

const sendHeadersChannel = 'undici:client:sendHeaders';

/**
 * Reports to a call which socket carries it, and how that was connected. undici does not give the socket to a request's
 * handler; it publishes it on a diagnostics channel right after it has started the request, in the same turn.
 */
export class SocketRegistry implements Disposable {
  readonly #facts = new WeakMap<Socket, ConnectionFacts>();
  #onSocket: ((socket: Socket) => void) | undefined;
  readonly #observe = (message: unknown): void => {
    this.#onSocket?.((message as { readonly socket: Socket }).socket);
    this.#onSocket = undefined;
  };

  constructor() {
    diagnosticsChannel.subscribe(sendHeadersChannel, this.#observe);
  }

  add(socket: Socket, facts: ConnectionFacts): void {
    this.#facts.set(socket, facts);
  }

  factsOf(socket: Socket): ConnectionFacts | undefined {
    return this.#facts.get(socket);
  }

  /** Called once, with the socket of the request that is being started. */
  onNextRequest(onSocket: (socket: Socket) => void): void {
    this.#onSocket = onSocket;
  }

  [Symbol.dispose](): void {
    diagnosticsChannel.unsubscribe(sendHeadersChannel, this.#observe);
  }
}

/**
 * Connects to receivers. An address is checked three times, since no single check sees all: literals never reach the
 * resolver, names may resolve to any address, and the peer of the connection is what counts in the end.
 */
export function createConnector(
  { policy, resolver, tls = {} }: ConnectorOptions,
  sockets: SocketRegistry,
): buildConnector.connector {
  const open = buildConnector({
    ...tls,
    timeout: connectTimeoutMs,
    allowH2: false,
    maxCachedSessions: sessionsMax,
    autoSelectFamily: true,
    lookup: resolver.lookup,
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && policy.isForbidden(host)) {
      callback(refuseAddress(host), null);
      return;
    }
    const clock = new ConnectionClock();
    // The types hide that the socket is returned at once, before it is connected.
    const opening = open(options, (error, socket) => {
      if (error) return callback(error, null);
      const peer = socket.remoteAddress ?? '';
      if (policy.isForbidden(peer)) {
        socket.destroy();
        return callback(refuseAddress(peer), null);
      }
      sockets.add(socket, { timings: clock.read(options.protocol === 'https:'), calls: 0 });
      callback(null, socket);
    }) as unknown as Socket | undefined;
    if (opening) clock.watch(opening);
  };
}

/** Measures the steps until a connection is ready. */
class ConnectionClock {
  readonly #startedMs = performance.now();
  #resolvedMs: number | undefined;
  #connectedMs: number | undefined;

  watch(socket: Socket): void {
    socket.once('lookup', () => (this.#resolvedMs = performance.now()));
    socket.once('connect', () => (this.#connectedMs = performance.now()));
  }

  read(secure: boolean): ConnectionTimings {
    const nowMs = performance.now();
    const connectedMs = this.#connectedMs ?? nowMs;
    return {
      dnsMs: this.#resolvedMs === undefined ? null : this.#resolvedMs - this.#startedMs,
      connectMs: connectedMs - (this.#resolvedMs ?? this.#startedMs),
      tlsMs: secure ? nowMs - connectedMs : null,
    };
  }
}
