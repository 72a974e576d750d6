import { counter, gauge } from '@gateway/runtime';
import type { Environment } from '@gateway/contracts/values';
import { FairSlots, tooManyUnderWay } from '#src/limits/fair-slots.ts';
import { LatencyLimit, type LatencyLimitOptions } from '#src/limits/latency-limit.ts';

const admittedOperations = ['deposit', 'payout', 'change', 'read'] as const;
/** What is limited together: creations of deposits, of payouts, all other changes, and reads. */
export type AdmittedOperation = (typeof admittedOperations)[number];

/**
 * How long requests may wait for others, and how many may always be under way. Test mode shares the machine with live money: its queue is
 * shorter, so where both have too much to do, test mode is refused until live requests have what they need. Live requests
 * wait for providers, some for seconds, so more of them are under way when all is well.
 */
const limits = {
  live: { queueMsMax: 150, least: 100 },
  test: { queueMsMax: 75, least: 32 },
} as const satisfies Record<Environment, LatencyLimitOptions>;

const refused = counter('gateway_admission_refused_total', 'Requests refused because too many were under way', [
  'environment',
  'operation',
]);

export interface Admittance {
  readonly environment: Environment;
  readonly operation: AdmittedOperation;
  readonly accountId: string;
}

export interface AdmittedRequest {
  /** To be called once, when it is answered. */
  readonly ended: () => void;
}

interface Limited {
  readonly limit: LatencyLimit;
  readonly slots: FairSlots;
}

/**
 * Decides which requests of merchants are carried out while there are more than can be answered in time, for each
 * environment and kind of operation by itself: slow payouts take nothing from deposits, and test mode nothing from live.
 * What is refused has done nothing and is answered 503 with Retry-After; what has begun is never ended.
 */
export class Admission implements Disposable {
  readonly #limited = new Map<string, Limited>();
  readonly #observed = new DisposableStack();

  constructor() {
    for (const environment of ['live', 'test'] as const) {
      for (const operation of admittedOperations) {
        const limit = new LatencyLimit(limits[environment], performance.now());
        const slots = new FairSlots(() => limit.value);
        this.#limited.set(`${environment} ${operation}`, { limit, slots });
        this.#observe({ environment, operation }, { limit, slots });
      }
    }
  }

  /** Whether a request would be refused now; to be asked before it costs anything. A refusal is counted. */
  refuses({ environment, operation, accountId }: Admittance): boolean {
    const { limit, slots } = this.#of(environment, operation);
    if (slots.admits(accountId)) return false;
    limit.reached(performance.now());
    refused.add(1, { environment, operation });
    return true;
  }

  /** @throws DomainError SERVICE_UNAVAILABLE with Retry-After */
  admit(admittance: Admittance): AdmittedRequest {
    const { environment, operation, accountId } = admittance;
    if (this.refuses(admittance)) throw tooManyUnderWay();
    const { limit, slots } = this.#of(environment, operation);
    const beganAtMs = performance.now();
    const giveBack = slots.take(accountId);
    limit.began(slots.underWay, beganAtMs);
    return {
      ended: () => {
        giveBack();
        const nowMs = performance.now();
        limit.answered(nowMs - beganAtMs, nowMs);
      },
    };
  }

  [Symbol.dispose](): void {
    this.#observed.dispose();
  }

  #of(environment: Environment, operation: AdmittedOperation): Limited {
    const limited = this.#limited.get(`${environment} ${operation}`);
    if (!limited) throw new Error(`nothing limits ${environment} ${operation}`);
    return limited;
  }

  #observe(labels: { readonly environment: Environment; readonly operation: AdmittedOperation }, by: Limited): void {
    const observe = (name: string, help: string, read: () => number) =>
      this.#observed.use(gauge(name, help, read, labels));
    // An increase from nothing is seen only where there was a zero.
    refused.add(0, labels);
    observe('gateway_admission_limit', 'Requests that may be under way at once', () => by.limit.value);
    observe('gateway_admission_under_way', 'Requests of merchants under way', () => by.slots.underWay);
  }
}
