import { isIP } from 'node:net';
import { ValidationError } from '@gateway/contracts/errors';
import type { AddressPolicy } from '#src/http/address-policy.ts';
import { ResolveError, type GuardedResolver } from '#src/http/guarded-resolver.ts';

const urlCharactersMax = 2_048;
/** Names that mean something inside a network only. */
const innerSuffixes = ['localhost', 'local', 'internal', 'svc', 'cluster.local', 'home.arpa', 'lan'];
/** Infrastructure that answers to text sent at it, or must not be probed: databases, queues, orchestration. */
const infrastructurePorts = new Set([
  1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4222, 4369, 5432, 5672, 5900, 5984, 6222, 6379, 6432,
  6443, 7000, 7001, 8222, 9042, 9092, 9160, 9200, 9300, 10_250, 10_255, 11_211, 15_672, 26_379, 27_017, 27_018,
]);

export interface TargetRules {
  /** http and inner names are receivers too. */
  readonly allowInsecure: boolean;
  /** The deployment's own names; their subdomains are meant as well. */
  readonly forbiddenHosts: readonly string[];
  readonly addresses: AddressPolicy;
}

export class TargetError extends Error {
  /** Completes "url …" and is safe to show. */
  readonly reason: string;

  constructor(reason: string) {
    super(`url ${reason}`);
    this.name = 'TargetError';
    this.reason = reason;
  }
}

/**
 * Reads the URL of a receiver (webhooks.md 2). The rules are applied when it is registered and before every call, since those of a
 * deployment may have changed in between. They do not cover the addresses its name resolves to.
 *
 * @throws TargetError naming the rule that is broken
 */
export function parseTarget(text: string, rules: TargetRules): URL {
  // The URL parser drops some of these silently; a URL that reads differently than it acts is not accepted.
  if (/[\p{Cc}\s\\]/u.test(text)) throw new TargetError('must not contain spaces, control characters or backslashes');
  if (text.length > urlCharactersMax) throw new TargetError(`must have at most ${urlCharactersMax} characters`);
  if (!URL.canParse(text)) throw new TargetError('is not a valid URL');
  const url = new URL(text);
  if (url.href.length > urlCharactersMax) throw new TargetError(`must have at most ${urlCharactersMax} characters`);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowInsecure)) {
    throw new TargetError(rules.allowInsecure ? 'must be http or https' : 'must be https');
  }
  if (!/^https?:\/\/[^/]/i.test(text)) throw new TargetError('is not a valid URL');
  if (url.username !== '' || url.password !== '') throw new TargetError('must not contain credentials');
  if (text.includes('#')) throw new TargetError('must not contain a fragment');
  checkPort(url, rules);
  checkHost(hostOf(url), rules);
  return url;
}

/** The host as an address or name: no brackets, no trailing dot, lower case. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

export interface TargetGuard {
  readonly rules: TargetRules;
  readonly resolver: GuardedResolver;
}

/**
 * Refuses a URL that may not be called, also because of the addresses its name resolves to now. A name that does not
 * resolve is accepted: it may not be set up yet, and every connection checks again.
 *
 * @throws ValidationError naming `member`
 */
export async function checkTarget(text: string, { rules, resolver }: TargetGuard, member = 'url'): Promise<void> {
  try {
    const host = hostOf(parseTarget(text, rules));
    if (isIP(host) === 0) await resolver.resolve(host);
  } catch (error) {
    if (error instanceof TargetError) throw new ValidationError([{ path: member, message: error.reason }]);
    if (!(error instanceof ResolveError)) throw error;
    if (error.failure !== 'ssrf_blocked') return;
    throw new ValidationError([{ path: member, message: 'must not resolve to a private or special address' }]);
  }
}

function checkPort(url: URL, rules: TargetRules): void {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (port === 443 || (port === 80 && rules.allowInsecure)) return;
  if (port < 1_024 || infrastructurePorts.has(port)) throw new TargetError(`must not use port ${port}`);
}

function checkHost(host: string, rules: TargetRules): void {
  const isOf = (domain: string) => host === domain || host.endsWith(`.${domain}`);
  if (isIP(host) !== 0) {
    if (rules.addresses.isForbidden(host)) throw new TargetError('must not be a private or special address');
    return;
  }
  if (host === '' || host.length > 253) throw new TargetError('is not a valid URL');
  if (rules.forbiddenHosts.some(isOf)) throw new TargetError('must not be a name of the gateway itself');
  if (rules.allowInsecure) return;
  if (!host.includes('.') || innerSuffixes.some(isOf)) throw new TargetError('must be a public host name');
}
