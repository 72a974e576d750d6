import { histogram, gauge, SpanKind, startLoop, withSpan, type Database, type Logger } from '@gateway/service-kit';
import type { Loop } from '@gateway/service-kit';
import type { SecretBox } from '@gateway/service-kit';
import { openBody } from '#src/queue/stored-body.ts';
import { claimDeliveries, newLeaseOwner, type Claimed, type Pool } from '#src/queue/claim.ts';
import { openHeaders } from '#src/endpoints/custom-headers.ts';
import { expireLeases } from '#src/queue/expire-leases.ts';
import type { LaneAfter } from '#src/queue/record-attempts.ts';
import type { Finished, NotSent } from '#src/queue/settle.ts';
import { Lines } from '#src/scheduler/lines.ts';
import { Recorder } from '#src/scheduler/recorder.ts';
import type { Sender } from '#src/http/sender.ts';
import type { DirectRoom } from '#src/fanout/fan-out.ts';
import { Slots, type Budgets, type Slot } from '#src/scheduler/slots.ts';

/** Fallback for wake-ups, and the grain of retries. */
const pollIntervalMs = 250;
const expiryIntervalMs = 1_000;
const claimMax = 256;
/** Who waits for room goes on waiting while calls end, but not longer than so many times. */
const roomTimeoutsMax = 4;

const claimDuration = histogram('gateway_webhook_claim_seconds', 'Time to claim deliveries', ['pool']);
const lag = histogram('gateway_webhook_lag_seconds', 'From due to sent, by budget', ['pool']);

export interface DispatcherOptions {
  readonly database: Database;
  readonly sender: Sender;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  /** Names this process in leases and in the log. */
  readonly replica: string;
  readonly random?: () => number;
  readonly budgets?: Budgets;
}

/** Places for calls that are about to be written as leased. */
export interface Reservation extends DirectRoom, Disposable {
  readonly start: (leased: readonly Claimed[]) => void;
}

/** Claims what is due, sends it, records what became of it; until disposed, when calls under way come to their end. */
export class Dispatcher implements AsyncDisposable {
  readonly #options: DispatcherOptions;
  readonly #slots: Slots;
  readonly #recorder: Recorder;
  readonly #lines: Lines;
  /** Calls under way. */
  readonly #calls = new Set<Promise<boolean>>();
  /** Leases this process holds. */
  #held = 0;
  readonly #claiming: Loop;
  readonly #expiring: Loop;
  /** Who waits for free slots. */
  #room: { readonly calls: number; readonly enough: () => void; readonly progress: () => void } | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#slots = new Slots(options.budgets);
    this.#recorder = new Recorder({
      ...options,
      random: options.random ?? Math.random,
      onLanes: (lanes) => this.#onLanes(lanes),
      onEnd: (finished) => this.#onEnd(finished.map(({ claimed }) => claimed)),
      underWay: () => this.#held,
    });
    this.#lines = new Lines({
      call: (claimed, pool) => this.#call(claimed, pool),
      hasRoom: (pool) => this.#slots.free(pool) > 0,
      giveBack: (waiting) => waiting.forEach((claimed) => this.#recorder.record({ claimed, notSent: 'given_back' })),
    });
    const { logger, database } = options;
    this.#claiming = startLoop({
      name: 'webhook dispatch',
      intervalMs: pollIntervalMs,
      logger,
      work: () => this.#claimAll(),
    });
    this.#expiring = startLoop({
      name: 'webhook leases',
      intervalMs: expiryIntervalMs,
      logger,
      work: () => expireLeases(database),
    });
    for (const budget of ['fast', 'suspect', 'slow'] as const) {
      gauge('gateway_webhook_calls', 'Calls under way by budget', () => this.#slots.inUse(budget), { budget });
    }
  }

  /** Resolves when so many quick calls could start at once, or none has ended for so long. */
  async roomFor(calls: number, timeoutMs: number): Promise<boolean> {
    const room = this.#room;
    if (this.#slots.free('fast') >= calls || room) return this.#slots.free('fast') >= calls;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), timeoutMs);
    const patientUntilMs = performance.now() + timeoutMs * roomTimeoutsMax;
    this.#room = {
      calls,
      enough: () => resolve(true),
      progress: () => void (performance.now() < patientUntilMs && timer.refresh()),
    };
    return await promise.finally(() => {
      clearTimeout(timer);
      this.#room = undefined;
    });
  }

  /** Keeps places for deliveries that are leased as they are written; disposed, it gives back those not used. */
  reserve(places: number): Reservation {
    const slots = this.#slots.takeUpTo('fast', places, performance.now());
    const giveBack = () => slots.splice(0).forEach((slot) => this.#slots.release(slot));
    return {
      places: slots.length,
      leaseOwner: newLeaseOwner(this.#options.replica),
      leasesOf: (endpointId) => this.#lines.leasesOf(endpointId),
      placesOf: (owner) => this.#slots.freeOf('fast', owner),
      start: (leased) => {
        giveBack();
        for (const claimed of leased) this.#add(claimed, 'fast');
        this.#onRoom();
      },
      [Symbol.dispose]: () => {
        giveBack();
        this.#onRoom();
      },
    };
  }

  /** Something is due. A lost wake-up costs a polling interval. */
  wake(): void {
    this.#claiming.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#claiming[Symbol.asyncDispose](), this.#expiring[Symbol.asyncDispose]()]);
    this.#lines.close();
    await Promise.all(this.#calls);
    await this.#recorder[Symbol.asyncDispose]();
  }

  /** One round over both pools. Answers true when there is more and room for it. */
  async #claimAll(): Promise<boolean> {
    this.#slots.moveSlow(performance.now());
    const fast = await this.#claim('fast');
    const suspect = await this.#claim('suspect');
    return fast || suspect;
  }

  async #claim(pool: Pool): Promise<boolean> {
    const limit = Math.min(this.#slots.free(pool), claimMax);
    if (limit <= 0) return false;
    const { database, replica } = this.#options;
    const startedMs = performance.now();
    const { claimed, more } = await claimDeliveries({
      database,
      replica,
      pool,
      limit,
      leasesOf: (endpointId) => this.#lines.leasesOf(endpointId),
      ownersAtShare: this.#slots.ownersAtShare(pool),
    });
    claimDuration.record((performance.now() - startedMs) / 1_000, { pool });
    for (const delivery of claimed) this.#add(delivery, pool);
    return more && this.#slots.free(pool) > 0;
  }

  #add(claimed: Claimed, pool: Pool): void {
    this.#held += 1;
    this.#lines.add(claimed, pool);
  }

  async #call(claimed: Claimed, pool: Pool): Promise<boolean> {
    const slot = this.#slots.take(pool, performance.now(), claimed.owner);
    const call = this.#deliver(claimed, pool, slot);
    this.#calls.add(call);
    return await call.finally(() => this.#calls.delete(call));
  }

  async #deliver(claimed: Claimed, pool: Pool, slot: Slot): Promise<boolean> {
    lag.record(claimed.lag_ms / 1_000, { pool });
    const finished = await this.#attempt(claimed).catch((error: unknown) => {
      // Nothing was sent, and nothing is known against the receiver: its lease expires and it is tried again.
      this.#options.logger.error({ err: error, delivery: claimed.id }, 'delivery could not be attempted');
      return undefined;
    });
    this.#slots.release(slot);
    this.#onRoom();
    if (finished) this.#recorder.record(finished);
    else this.#onEnd([claimed]);
    return finished !== undefined && (!('attempt' in finished) || finished.attempt.delivered);
  }

  #onRoom(): void {
    const room = this.#room;
    room?.progress();
    if (room && this.#slots.free('fast') >= room.calls) room.enough();
  }

  #onEnd(ended: readonly Claimed[]): void {
    this.#held -= ended.length;
    for (const { endpoint_id } of ended) this.#lines.ended(endpoint_id);
  }

  #onLanes(lanes: readonly LaneAfter[]): void {
    for (const { endpoint_id, cap } of lanes) this.#lines.setCap(endpoint_id, cap);
    if (lanes.some(({ ready }) => ready)) this.wake();
  }

  async #attempt(claimed: Claimed): Promise<Finished> {
    const { url, sealed_secret, next_sealed_secret, secret_owner, body } = claimed;
    if (url === null || sealed_secret === null || secret_owner === null || body === null || claimed.remaining_ms <= 0) {
      return { claimed, notSent: reasonNotToSend(claimed) };
    }
    const startedMs = performance.now();
    const attributes = { 'gateway.delivery_id': claimed.id, 'gateway.event': claimed.event };
    const options = { kind: SpanKind.CLIENT, parent: claimed.trace ?? {}, attributes };
    return await withSpan('webhook delivery', options, async (span) => {
      const open = (sealed: string) => this.#options.secretBox.open(sealed, secret_owner);
      const attempt = await this.#options.sender.send({
        url,
        secret: open(sealed_secret),
        nextSecret: next_sealed_secret === null ? undefined : open(next_sealed_secret),
        eventId: claimed.event_id,
        deliveryId: claimed.id,
        attempt: claimed.attempts + 1,
        customHeaders: openHeaders(claimed.sealed_headers, claimed.endpoint_id, this.#options.secretBox),
        body: openBody(body, claimed.event_id, claimed.format, this.#options.secretBox),
      });
      span.setAttribute('http.response.status_code', attempt.response?.status ?? 0);
      if (attempt.error !== null) span.setAttribute('error.type', attempt.error);
      return { claimed, attempt, elapsedMs: performance.now() - startedMs };
    });
  }
}

function reasonNotToSend({ url, remaining_ms }: Claimed): NotSent {
  if (url === null) return 'endpoint_deleted';
  return remaining_ms <= 0 ? 'expired' : 'body_expired';
}
