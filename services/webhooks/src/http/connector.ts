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

/** What is known about the making of a connection. */
export interface ConnectionFacts {
  readonly timings: ConnectionTimings;
  /** Calls it has carried. */
  calls: number;
}

const facts = new WeakMap<object, ConnectionFacts>();

/** The facts of a connection made here. */
export function factsOf(socket: object): ConnectionFacts | undefined {
  return facts.get(socket);
}

/**
 * Connects to receivers. An address is looked at three times, since each look misses something: literals never reach
 * the resolver, names may resolve to anything, and what counts in the end is the peer.
 */
export function createConnector({ policy, resolver, tls = {} }: ConnectorOptions): buildConnector.connector {
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
      facts.set(socket, { timings: clock.read(options.protocol === 'https:'), calls: 0 });
      callback(null, socket);
    }) as unknown as Socket | undefined;
    if (opening) clock.watch(opening);
  };
}

/** Splits the time until a connection is ready. */
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
