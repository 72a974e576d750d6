import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimit } from '@gateway/contracts/accounts';
import { DomainError } from '@gateway/contracts/errors';
import { counter } from '@gateway/runtime';
import { AddressLimits } from '#src/limits/address-limits.ts';
import { AddressSlots } from '#src/limits/address-slots.ts';

/**
 * What one address may do at this gateway without a key that is known here: the only table of its kind, quoted in
 * docs/security.md. Many people can share an address, so each rate is well above what a busy office needs, and each burst
 * above what a suite of tests needs that tries every refusal. Each process of the gateway counts for itself: behind n of
 * them an address has up to n times as much.
 */
export const openRates = {
  /**
   * Calls that were refused: unknown and wrong keys, connectors' credentials, providers' signatures, paths that do not
   * exist. Once it is spent the next one is refused before it is looked at.
   */
  refusals: { perSecond: 10, burst: 500 },
  /** QR pictures by the token of `pix.qr_url`, and the documents of evidence by theirs. */
  pictures: { perSecond: 20, burst: 100 },
  /** The hosted page and its status, which an open page asks for every few seconds. */
  paymentPages: { perSecond: 20, burst: 100 },
  /** Tokens no operator has, at the operators' listener. */
  operatorTokens: { perSecond: 1, burst: 100 },
  /** `/openapi.json`, a quarter of a megabyte from memory. */
  description: { perSecond: 5, burst: 60 },
  /** `/docs` with all it loads. */
  documentation: { perSecond: 20, burst: 300 },
  /** `/health`, asked by load balancers and monitors. */
  health: { perSecond: 20, burst: 100 },
} as const satisfies Record<string, RateLimit>;

export type OpenOperation = keyof typeof openRates;

/**
 * How long a call beyond the limit of its address or its key waits for its 429. A caller in a loop spends this time instead of ours: two
 * hundred connections that ask again at once would otherwise keep a process busy with refusing them.
 */
const heldMsDefault = 500;
/** Calls that wait at once, some kilobytes each; others are refused without waiting. */
const heldMax = 2_000;

const limited = counter('gateway_address_limited_total', 'Calls without a known key refused by address', ['operation']);
// An increase from nothing is seen only where there was a zero.
for (const operation of Object.keys(openRates)) limited.add(0, { operation });

interface OpenLimitsOptions {
  readonly rates?: Readonly<Record<OpenOperation, RateLimit>>;
  readonly heldMs?: number;
}

/** Limits by address for whatever can be asked without credentials, before it costs a query or a parse. */
export class OpenLimits {
  readonly #limits: Readonly<Record<OpenOperation, AddressLimits>>;
  readonly #slots = new AddressSlots();
  readonly #heldMs: number;
  #held = 0;

  constructor({ rates = openRates, heldMs = heldMsDefault }: OpenLimitsOptions = {}) {
    this.#heldMs = heldMs;
    this.#limits = {
      refusals: new AddressLimits(rates.refusals),
      pictures: new AddressLimits(rates.pictures),
      paymentPages: new AddressLimits(rates.paymentPages),
      operatorTokens: new AddressLimits(rates.operatorTokens),
      description: new AddressLimits(rates.description),
      documentation: new AddressLimits(rates.documentation),
      health: new AddressLimits(rates.health),
    };
  }

  /** Counts a call. @throws DomainError RATE_LIMITED, after a while */
  async spend(operation: OpenOperation, address: string): Promise<void> {
    await this.#orHold(operation, (limits) => limits.spend(address, performance.now()));
  }

  /** Counts a call, and lets it pass once few of its address are under way. @throws DomainError RATE_LIMITED, after a while */
  async admit(operation: OpenOperation, { ip }: FastifyRequest, { raw }: FastifyReply): Promise<void> {
    await this.spend(operation, ip);
    // The caller has hung up.
    if (raw.closed) return;
    const closed = new Promise((resolve) => raw.once('close', resolve));
    const giveBack = await this.#slots.take(ip);
    void closed.then(giveBack);
  }

  /** Looks at a call of which nothing is known. @throws DomainError RATE_LIMITED, after a while */
  async look<T>(address: string, work: () => Promise<T>): Promise<T> {
    await this.requireFewRefusals(address);
    const giveBack = await this.#slots.take(address);
    try {
      if (this.#limits.refusals.allows(address, performance.now())) return await work();
    } finally {
      giveBack();
    }
    // Calls before it were refused while it waited: it now waits for its own refusal, outside a slot.
    return await this.look(address, work);
  }

  /** To be asked before a call of which nothing is known is looked at. @throws DomainError RATE_LIMITED, after a while */
  async requireFewRefusals(address: string): Promise<void> {
    await this.#orHold('refusals', (limits) => limits.require(address, performance.now()));
  }

  /** Counts a call that was refused. @throws DomainError RATE_LIMITED, after a while, in place of its refusal */
  async countRefusal(address: string): Promise<void> {
    await this.spend('refusals', address);
  }

  /** Like `countRefusal` for a call whose refusal is already on its way. */
  noteRefusal(address: string): void {
    this.#limits.refusals.count(address, performance.now());
  }

  async #orHold(operation: OpenOperation, work: (limits: AddressLimits) => void): Promise<void> {
    try {
      work(this.#limits[operation]);
    } catch (error) {
      limited.add(1, { operation });
      await this.holdRefusal();
      throw error;
    }
  }

  /** Waits as a call does that is beyond its limit, before it is refused. */
  async holdRefusal(): Promise<void> {
    if (this.#held >= heldMax) return;
    this.#held += 1;
    await new Promise((resolve) => setTimeout(resolve, this.#heldMs));
    this.#held -= 1;
  }
}

/** True for refusals of callers who did not prove who they are, or may not call from where they do. */
export function isRefusedCaller(error: unknown): error is DomainError {
  const codes: readonly string[] = ['AUTH_REQUIRED', 'AUTH_INVALID', 'AUTH_IP_BLOCKED'];
  return error instanceof DomainError && codes.includes(error.code);
}
