import { failureCodes } from '#src/failure-codes.ts';
import { failureCodeOf } from '#src/failure-taxonomy.ts';
import { JwsSigner } from '#src/fintoc/jws.ts';
import type { FintocConfig } from '#src/fintoc/config.ts';
import { errorSchema } from '#src/fintoc/wire.ts';
import { fixedAuthorization, type Authorization } from '#src/http/authorization.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import type { CircuitState } from '#src/http/circuit-breaker.ts';
import type { CallOutcome, Rejected } from '#src/http/classify.ts';
import { ProviderClient, type ProviderCall } from '#src/http/provider-client.ts';
import type { CallOptions, NotSent, Refused, Unknown } from '#src/outcomes.ts';
import type { ProviderEnvironment } from '#src/payment-provider.ts';

/** Fintoc over HTTP: the secret key as it is on every call, a signature over each body that moves money. */
export class FintocConnection implements AsyncDisposable {
  readonly config: FintocConfig;
  readonly now: () => Date;
  readonly #client: ProviderClient;
  readonly #authorization: Authorization;
  readonly #signer: JwsSigner;

  constructor(config: FintocConfig, { now, onUnreadable, onExchange }: ProviderEnvironment) {
    this.config = config;
    this.now = now;
    const { baseUrl, callTimeoutMs, secretKey, jwsPrivateKey } = config;
    this.#client = new ProviderClient({
      baseUrl,
      callTimeoutMs,
      onUnreadable,
      onExchange,
      nowMs: () => performance.now(),
    });
    this.#authorization = fixedAuthorization(secretKey);
    this.#signer = new JwsSigner(jwsPrivateKey);
  }

  get circuit(): CircuitState {
    return this.#client.circuit;
  }

  async call<T>(call: ProviderCall<T>, options?: CallOptions): Promise<CallOutcome<T>> {
    return await this.#client.call(this.#authorization, call, options);
  }

  /**
   * `POST` under a key of idempotency, which is our reference: for at least 24 hours Fintoc answers a repetition with what
   * it answered the first time, and refuses one with another body (docs.fintoc.com, "Idempotent requests", read on
   * 22 November 2026).
   */
  async create<T>(
    { reference, isSigned, ...call }: Omit<ProviderCall<T>, 'method' | 'headers'> & CreateOnce,
    options?: CallOptions,
  ): Promise<CallOutcome<T>> {
    const signature: Record<string, string> = isSigned ? { 'fintoc-jws-signature': this.#signatureOf(call.body) } : {};
    const headers = { 'idempotency-key': reference, ...signature };
    return await this.call({ ...call, method: 'POST', headers }, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }

  #signatureOf(body: unknown): string {
    return this.#signer.headerFor(JSON.stringify(body), this.now());
  }
}

interface CreateOnce {
  readonly reference: string;
  /** Calls that move money are signed. */
  readonly isSigned: boolean;
}

/** The one type of error that says that the request itself was refused ("Errors", docs.fintoc.com). */
const refusedType = 'invalid_request_error';

/**
 * A refusal is certain only where Fintoc says that the request was invalid. An error of another type, one about the key
 * of idempotency (an earlier call may have arrived), and anything that a proxy in between may have answered is unknown.
 */
export function refusal({ status, body }: Rejected): Refused | Unknown {
  const reported = errorSchema.safeParse(body);
  if (!reported.success) return { kind: 'unknown', cause: `the provider answered ${status} with ${shapeOf(body)}` };
  const { type, code, message } = reported.data.error;
  if (type !== refusedType || /idempoten/i.test(`${code ?? ''} ${message ?? ''}`)) {
    return { kind: 'unknown', cause: `the provider answered ${status}, ${type}` };
  }
  const failure = failureCodeOf(code);
  return { kind: 'refused', code: failure, message: message ?? failureCodes[failure].meaning, raw: body };
}

/** Why something that was accepted failed: SPEI's cause, where there is one. */
export function reasonOf(cause: string | null | undefined) {
  const code = failureCodeOf(cause);
  return { code, message: cause ?? failureCodes[code].meaning };
}

export function unsupported(cause: string): NotSent {
  return { kind: 'not_sent', reason: 'unsupported', cause };
}

/** Something that had to be known before the call could not be learned: nothing was sent. */
export function notSentWithout(cause: string, { signal }: CallOptions = {}): NotSent {
  return { kind: 'not_sent', reason: signal?.aborted === true ? 'aborted' : 'unreachable', cause };
}

/** For the lookups of a call: only what changes something is announced before it is sent. */
export function lookupOf({ signal }: CallOptions = {}): CallOptions {
  return signal ? { signal } : {};
}
