import { Resolver } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import { counter, histogram } from '@gateway/runtime';
import type { AddressPolicy } from '#src/http/address-policy.ts';

/** A lost packet is asked for again, with twice the time: a second and a half in all. */
const firstTryTimeoutMs = 500;
const tries = 2;
const cachedSecondsMax = 300;
const failureCachedMs = 5_000;
const unknownNameCachedMs = 30_000;
const cacheNamesMax = 20_000;

const duration = histogram('gateway_webhook_dns_seconds', 'Time to resolve a receiver, by outcome', ['outcome']);
const blocked = counter('gateway_webhook_ssrf_blocked_total', 'Connections refused because of their address');

type ResolveFailure = 'ssrf_blocked' | 'dns_nxdomain' | 'dns_timeout' | 'dns_failed';

export class ResolveError extends Error {
  readonly failure: ResolveFailure;

  constructor(failure: ResolveFailure, host: string) {
    super(`${failure}: ${host}`);
    this.name = 'ResolveError';
    this.failure = failure;
  }
}

/** Counts and describes an address that may not be called. */
export function refuseAddress(address: string): ResolveError {
  blocked.add(1);
  return new ResolveError('ssrf_blocked', address);
}

interface Answer {
  readonly addresses: readonly string[];
  readonly ttlSec: number;
}

interface Cached {
  readonly answer: Promise<readonly string[]>;
  validUntilMs: number;
}

export interface GuardedResolverOptions {
  readonly policy: AddressPolicy;
  /** localhost names this machine (RFC 6761); otherwise it names nothing. */
  readonly allowInsecure: boolean;
  /** Instead of the system's. */
  readonly servers?: readonly string[];
  readonly nowMs?: () => number;
}

/**
 * Resolves receivers with c-ares: `dns.lookup` would let two names with silent servers block every other one on its
 * four threads. An answer with one forbidden address is refused as a whole. Answers are cached by their TTL, and a
 * name is asked for once at a time.
 */
export class GuardedResolver {
  readonly #policy: AddressPolicy;
  readonly #allowLocalhost: boolean;
  readonly #servers: readonly string[];
  readonly #cache = new Map<string, Cached>();
  readonly #nowMs: () => number;

  constructor(options: GuardedResolverOptions) {
    this.#policy = options.policy;
    this.#allowLocalhost = options.allowInsecure;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#servers = options.servers ?? [];
  }

  /** @throws ResolveError */
  async resolve(host: string): Promise<readonly string[]> {
    if (this.#allowLocalhost && /(^|\.)localhost$/.test(host)) return ['127.0.0.1', '::1'];
    const known = this.#cache.get(host);
    if (known && known.validUntilMs > this.#nowMs()) return await known.answer;
    return await this.#ask(host);
  }

  /** The form `net.connect` takes. Note that it is not called for hosts that are addresses already. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    this.resolve(host).then(
      (addresses) => {
        const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        const [first] = all;
        if (options.all === true) callback(null, all);
        else if (first) callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as Error, ''),
    );
  };

  async #ask(host: string): Promise<readonly string[]> {
    const startedMs = performance.now();
    const asked = this.#query(host);
    const entry: Cached = { answer: asked.then(({ addresses }) => addresses), validUntilMs: Infinity };
    this.#remember(host, entry);
    try {
      const { addresses, ttlSec } = await asked;
      entry.validUntilMs = this.#nowMs() + Math.min(ttlSec, cachedSecondsMax) * 1_000;
      duration.record((performance.now() - startedMs) / 1_000, { outcome: 'ok' });
      return addresses;
    } catch (error) {
      const failure = error instanceof ResolveError ? error.failure : 'dns_failed';
      entry.validUntilMs = this.#nowMs() + (failure === 'dns_nxdomain' ? unknownNameCachedMs : failureCachedMs);
      duration.record((performance.now() - startedMs) / 1_000, { outcome: failure });
      throw error;
    }
  }

  #remember(host: string, entry: Cached): void {
    entry.answer.catch(() => undefined);
    this.#cache.delete(host);
    this.#cache.set(host, entry);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > cacheNamesMax && oldest !== undefined) this.#cache.delete(oldest);
  }

  async #query(host: string): Promise<Answer> {
    // A trailing dot keeps search domains out of it: `merchant` must not become `merchant.svc.cluster.local`.
    const name = `${host}.`;
    // A channel of its own: names whose servers are silent make c-ares close and ask anew what shares theirs.
    const resolver = new Resolver({ timeout: firstTryTimeoutMs, tries });
    if (this.#servers.length > 0) resolver.setServers(this.#servers);
    const answers = await Promise.allSettled([
      resolver.resolve4(name, { ttl: true }),
      resolver.resolve6(name, { ttl: true }),
    ]);
    const records = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (records.length === 0) throw new ResolveError(failureOf(answers), host);
    const forbidden = records.find(({ address }) => this.#policy.isForbidden(address));
    if (forbidden) throw refuseAddress(host);
    return {
      addresses: records.map(({ address }) => address),
      ttlSec: Math.min(...records.map(({ ttl }) => ttl)),
    };
  }
}

function failureOf(answers: readonly PromiseSettledResult<unknown>[]): ResolveFailure {
  const codes = answers.map((answer) => {
    const reason: unknown = answer.status === 'rejected' ? answer.reason : undefined;
    return reason instanceof Error && 'code' in reason ? reason.code : undefined;
  });
  if (codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA')) return 'dns_nxdomain';
  return codes.includes('ETIMEOUT') ? 'dns_timeout' : 'dns_failed';
}
