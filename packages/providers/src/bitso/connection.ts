import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import type { BitsoConfig } from '#src/bitso/config.ts';
import { failureSchema } from '#src/bitso/wire.ts';
import type { FailureCode } from '#src/failure-codes.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import { ProviderClient, type ProviderCall } from '#src/http/provider-client.ts';
import type { NotSent, Unknown } from '#src/outcomes.ts';

export interface VenueEnvironment {
  readonly now: () => Date;
}

/** Bitso refused, with a code of its own. */
export interface BitsoFailure {
  readonly kind: 'failure';
  readonly code: string;
  readonly message: string;
}

export type BitsoOutcome<T> = { readonly kind: 'answered'; readonly value: T } | BitsoFailure | NotSent | Unknown;

type Answer<T> = { readonly success: true; readonly payload: T } | z.infer<typeof failureSchema>;

/** Bitso over HTTP: each call is signed over a number that only grows, its method, its path and its body. */
export class BitsoConnection implements AsyncDisposable {
  readonly #config: BitsoConfig;
  readonly #client: ProviderClient;
  readonly #now: () => Date;
  #lastNonce = 0;

  constructor(config: BitsoConfig, { now }: VenueEnvironment) {
    this.#config = config;
    this.#now = now;
    const { baseUrl, callTimeoutMs } = config;
    this.#client = new ProviderClient({ baseUrl, callTimeoutMs, nowMs: () => performance.now() });
  }

  async call<T>(call: Pick<ProviderCall<Answer<T>>, 'method' | 'path' | 'body' | 'schema'>): Promise<BitsoOutcome<T>> {
    const outcome = await this.#client.callOpenly({ ...call, headers: this.#authorization(call) });
    if (outcome.kind === 'answered') {
      return outcome.value.success
        ? { kind: 'answered', value: outcome.value.payload }
        : failureOf(outcome.value.error.code, outcome.value.error.message);
    }
    if (outcome.kind !== 'rejected') return outcome;
    const failure = failureSchema.safeParse(outcome.body);
    if (failure.success) return failureOf(failure.data.error.code, failure.data.error.message);
    return { kind: 'unknown', cause: `the venue answered ${outcome.status} with ${shapeOf(outcome.body)}` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }

  /** docs.bitso.com, "Create Signed Requests": `Bitso <key>:<nonce>:<signature>`. */
  #authorization({ method, path, body }: Pick<ProviderCall<unknown>, 'method' | 'path' | 'body'>) {
    const { apiKey, apiSecret, baseUrl } = this.#config;
    this.#lastNonce = Math.max(this.#lastNonce + 1, this.#now().getTime() * 1_000);
    const nonce = String(this.#lastNonce);
    const signed = `${nonce}${method}${baseUrl.pathname.replace(/\/$/, '')}${path}`;
    const payload = body === undefined ? '' : JSON.stringify(body);
    const signature = createHmac('sha256', apiSecret).update(`${signed}${payload}`).digest('hex');
    return { authorization: `Bitso ${apiKey}:${nonce}:${signature}` };
  }
}

/** Credentials and limits of calls are looked at before anything is done; HTTP says so with 401 and 420. */
function failureOf(code: string, message: string): BitsoFailure | NotSent {
  if (code.startsWith('02')) return { kind: 'not_sent', reason: 'unauthorized', cause: `Bitso answered ${code}` };
  if (code.startsWith('08')) return { kind: 'not_sent', reason: 'throttled', cause: `Bitso answered ${code}` };
  return { kind: 'failure', code, message: message.slice(0, 200) };
}

/** Why a call has no answer that can be used. */
export function causeOf(outcome: BitsoFailure | NotSent | Unknown): string {
  return outcome.kind === 'failure' ? `Bitso answered ${outcome.code}` : outcome.cause;
}

/** What a refusal of an order means; null where the code is no certain refusal. */
export function refusalCodeOf(code: string): FailureCode | null {
  // An id that was used before is the sign of an earlier call that arrived, and the 01 are errors inside of Bitso.
  if (code === '0356' || !/^(03|04|05|06|07|09|10)\d\d$/.test(code)) return null;
  if (code === '0379' || code.startsWith('06')) return 'provider_balance';
  if (/^(0401|0402|0403|0404|0405|0406|0343|05\d\d)$/.test(code)) return 'amount_limit';
  if (/^(0410|0411|07\d\d|10\d\d)$/.test(code)) return 'provider_restricted';
  return 'invalid_request';
}
